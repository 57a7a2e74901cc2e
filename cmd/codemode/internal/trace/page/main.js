// What the pointer and the keys do, and the first drawing.
{
  const only = byId("only");
  only.append(el("option", { value: "" }, "all"));
  for (const s of new Set(calls.map((c) => c.status))) only.append(el("option", { value: s }, s));
  byId("filters").hidden = !calls.length;
}
byId("tool").addEventListener("input", filter);
byId("only").addEventListener("change", filter);
byId("in").addEventListener("click", () => zoom(0.5));
byId("out").addEventListener("click", () => zoom(2));
byId("fit").addEventListener("click", () => show(0, total));
byId("previous").addEventListener("click", () => { page--; drawCalls(); });
byId("next").addEventListener("click", () => { page++; drawCalls(); });

const place = (e, of = canvas) => {
  const r = of.getBoundingClientRect();
  return [e.clientX - r.left, e.clientY - r.top];
};
canvas.addEventListener("wheel", (e) => {
  e.preventDefault();
  const unit = e.deltaMode === 1 ? 16 : 1;
  if (e.shiftKey || Math.abs(e.deltaX) > Math.abs(e.deltaY)) move(((e.deltaX || e.deltaY) * unit) / plot());
  else zoom(Math.exp(Math.max(-1, Math.min(1, (e.deltaY * unit) / 300))), timeAt(place(e)[0]));
}, { passive: false });

let drag = null;
canvas.addEventListener("pointerdown", (e) => {
  if (e.button !== 0) return;
  drag = { px: e.clientX, from: view.from, to: view.to, moved: false };
  canvas.setPointerCapture(e.pointerId);
});
canvas.addEventListener("pointermove", (e) => {
  const [px, py] = place(e);
  if (drag) {
    if (Math.abs(e.clientX - drag.px) > 3) drag.moved = true;
    if (drag.moved) {
      hideTip();
      canvas.classList.add("dragging");
      const by = ((drag.px - e.clientX) / plot()) * (drag.to - drag.from);
      show(drag.from + by, drag.to + by);
    }
    return;
  }
  const item = hitAt(px, py);
  canvas.classList.toggle("over", item !== null);
  if (item !== view.hover) {
    view.hover = item;
    redraw();
  }
  if (item) showTip(item, e.clientX, e.clientY);
  else hideTip();
});
canvas.addEventListener("pointerup", (e) => {
  if (drag && !drag.moved) {
    const item = hitAt(...place(e));
    select(item);
  }
  drag = null;
  canvas.classList.remove("dragging");
});
canvas.addEventListener("pointercancel", () => { drag = null; });
canvas.addEventListener("pointerleave", () => {
  hideTip();
  if (view.hover) {
    view.hover = null;
    redraw();
  }
});
canvas.addEventListener("dblclick", (e) => {
  const item = hitAt(...place(e));
  if (item && item.type !== "log") show(item.start - (item.end - item.start) * 0.1, item.end + (item.end - item.start) * 0.1);
});
window.addEventListener("scroll", hideTip, { passive: true });

// step selects the next or the previous call that is not filtered away.
function step(by) {
  const list = visible();
  if (!list.length) return;
  const now = list.indexOf(view.selected);
  const item = list[now < 0 ? (by > 0 ? list.findIndex((c) => c.end >= view.from) : list.length - 1) : Math.min(list.length - 1, Math.max(0, now + by))] ?? list[0];
  select(item);
  reveal(item);
}
canvas.addEventListener("keydown", (e) => {
  if (e.ctrlKey || e.metaKey || e.altKey) return;
  const keys = {
    "+": () => zoom(0.5), "=": () => zoom(0.5), "-": () => zoom(2), 0: () => show(0, total), ArrowLeft: () => move(-0.15), ArrowRight: () => move(0.15),
    ArrowDown: () => step(1), ArrowUp: () => step(-1), Home: () => show(0, view.to - view.from), End: () => show(total - (view.to - view.from), total), Escape: () => select(null),
  };
  if (keys[e.key]) {
    e.preventDefault();
    keys[e.key]();
  }
});

let sliding = false;
const slide = (e) => {
  const at = (place(e, overview)[0] / overview.clientWidth) * total, half = (view.to - view.from) / 2;
  show(at - half, at + half);
};
overview.addEventListener("pointerdown", (e) => { sliding = true; overview.setPointerCapture(e.pointerId); slide(e); });
overview.addEventListener("pointermove", (e) => { if (sliding) slide(e); });
for (const name of ["pointerup", "pointercancel"]) overview.addEventListener(name, () => { sliding = false; });

const repaint = () => { readColours(); draw(); };
for (const query of ["(prefers-color-scheme: dark)", "print"]) matchMedia(query).addEventListener("change", repaint);
window.addEventListener("beforeprint", repaint);
window.addEventListener("afterprint", repaint);
new ResizeObserver(redraw).observe(canvas);

drawSummary();
drawTools();
drawProgram();
drawLogs();
drawCalls();
repaint();

// The timeline: two canvases. What has no room side by side is drawn as its number over time.
const view = { from: 0, to: total, hover: null, selected: null, mark: null };
const canvas = byId("timeline"), overview = byId("overview");
const least = Math.max(total / 1e6, 0.002);
const gutter = 92, axis = 26, pad = 6, head = 18;

const fiberHeight = fibers.length > 1 ? Math.min(150, Math.max(20, (fiberLanes - 1) * 20)) : 0;
const callHeight = ran.length ? Math.min(220, Math.max(22, callLanes * 21)) : 0;
const idleHeight = idle.length ? 16 : 0;
const logHeight = logs.length ? 16 : 0;

// The rows from top to bottom: each has a name, a place and what is in it.
const rows = [];
{
  let y = axis;
  const row = (kind, label, height) => {
    if (!height) return;
    rows.push({ kind, label, y: y + pad, height });
    y += height + 2 * pad;
  };
  row("program", "Program", fibers.length ? 22 : 0);
  row("fibers", "Functions", fiberHeight);
  row("calls", "Calls", callHeight);
  row("idle", "Not started", idleHeight);
  row("logs", "Console", logHeight);
  canvas.style.height = `${y + 4}px`;
}

let colours = {}, hits = [], scheduled = false;
function readColours() {
  const style = getComputedStyle(document.documentElement);
  colours = {};
  for (const name of ["ground", "card", "ink", "quiet", "line", "soft", "accent", "bad", "warn", "fiber", "main", "await", "c0", "c1", "c2", "c3", "c4", "c5", "c6", "c7", "c8"]) {
    colours[name] = style.getPropertyValue(`--${name}`).trim();
  }
}

function paper(c) {
  const ratio = window.devicePixelRatio || 1, width = c.clientWidth, height = c.clientHeight;
  if (c.width !== Math.round(width * ratio) || c.height !== Math.round(height * ratio)) {
    c.width = Math.round(width * ratio);
    c.height = Math.round(height * ratio);
  }
  const g = c.getContext("2d");
  g.setTransform(ratio, 0, 0, ratio, 0, 0);
  g.clearRect(0, 0, width, height);
  g.font = "11.5px system-ui, -apple-system, 'Segoe UI', Roboto, 'Liberation Sans', sans-serif";
  g.textBaseline = "middle";
  return { g, width, height };
}

const plot = () => Math.max(50, canvas.clientWidth - gutter - 8);
const x = (t) => gutter + ((t - view.from) / (view.to - view.from)) * plot();
const timeAt = (px) => view.from + ((px - gutter) / plot()) * (view.to - view.from);

function draw() {
  scheduled = false;
  const { g, width, height } = paper(canvas);
  hits = [];
  drawAxis(g, width, height);
  for (const row of rows) {
    g.fillStyle = colours.quiet;
    g.textAlign = "right";
    g.fillText(row.label, gutter - 12, row.y + Math.min(row.height, 22) / 2);
    g.save();
    g.beginPath();
    g.rect(gutter - 1, row.y - pad, width - gutter + 1, row.height + 2 * pad);
    g.clip();
    drawRow(g, row, width);
    g.restore();
  }
  drawMarks(g, height);
  drawOverview();
  canvas.setAttribute("aria-label", `Timeline of ${many(calls.length, "call")} and ${many(fibers.length, "fiber")}, from ${span(view.from)} to ${span(view.to)}`);
}
function redraw() {
  if (!scheduled) {
    scheduled = true;
    requestAnimationFrame(draw);
  }
}

// drawAxis draws round times about a hundred pixels apart.
function drawAxis(g, width, height) {
  const rough = ((view.to - view.from) / plot()) * 110;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((m) => m * power).find((s) => s >= rough);
  g.textAlign = "center";
  g.lineWidth = 1;
  let free = 0;
  for (let t = Math.ceil(view.from / step - 1e-9) * step; t <= view.to + step * 1e-6; t += step) {
    const at = Math.round(x(t)) + 0.5;
    g.strokeStyle = colours.line;
    g.beginPath();
    g.moveTo(at, axis - 4);
    g.lineTo(at, height);
    g.stroke();
    const label = axisText(t, step), half = g.measureText(label).width / 2;
    const middle = Math.min(at, width - half - 2);
    if (middle - half < free) continue;
    free = middle + half + 8;
    g.fillStyle = colours.quiet;
    g.fillText(label, middle, axis / 2 - 1);
  }
}
function axisText(t, step) {
  if (Math.abs(t) < step / 2) return "0";
  if (step >= 1000) return `${digits(t / 1000, 0)} s`;
  if (view.to >= 2000) return `${digits(t / 1000, Math.min(6, Math.max(0, Math.ceil(-Math.log10(step / 1000)))))} s`;
  return `${digits(t, Math.min(4, Math.max(0, Math.ceil(-Math.log10(step)))))} ms`;
}

function drawRow(g, row, width) {
  switch (row.kind) {
    case "program":
      return drawFiber(g, fibers[0], row.y, 20);
    case "fibers":
      return drawLanes(g, row, fibers, 1, 20, fiberLevels, "function", drawFiber);
    case "calls":
      return drawLanes(g, row, ran, 0, 21, callLevels, "call", drawCall);
    case "idle":
      return drawTicks(g, row, idle, (c) => c.made, (c) => (bad(c.status) ? colours.bad : colours.warn));
    case "logs":
      return drawTicks(g, row, logs, (l) => l.time, (l) => (l.level === "error" ? colours.bad : l.level === "warn" ? colours.warn : colours.quiet));
  }
}

const inView = (item) => item.start <= view.to && item.end >= view.from;

// drawLanes draws the items in view one below the other if they have room, else how many there are at a time.
function drawLanes(g, row, items, skip, want, level, noun, one) {
  const seen = [], lanes = new Map();
  for (let i = skip; i < items.length; i++) if (inView(items[i])) seen.push(items[i]);
  for (const lane of [...new Set(seen.map((s) => s.lane))].sort((a, b) => a - b)) lanes.set(lane, lanes.size);
  const each = Math.min(want, row.height / Math.max(1, lanes.size));
  if (each < 6) return drawBusy(g, row, seen, one) || drawLevels(g, row, level, seen, noun);
  for (const item of seen) if (!bad(item.status)) one(g, item, row.y + lanes.get(item.lane) * each, each - (each > 10 ? 3 : 1));
  for (const item of seen) if (bad(item.status)) one(g, item, row.y + lanes.get(item.lane) * each, each - (each > 10 ? 3 : 1));
}

const within = (t) => t > view.from && t < view.to;
const stirs = (f) => within(f.start) || within(f.end) || (f.awaits ?? []).some((a) => within(a.start) || within(a.end));

// drawBusy draws those alone that do something in view, if these have room; the others only wait all the time.
function drawBusy(g, row, seen, one) {
  const busy = seen.filter(stirs), room = row.height - 18, each = Math.min(20, room / busy.length);
  if (busy.length === seen.length || !busy.length || each < 6) return false;
  busy.forEach((item, i) => one(g, item, row.y + i * each, each - (each > 10 ? 3 : 1)));
  note(g, `and ${count(seen.length - busy.length)} more, which wait all this time`, row.y + row.height - 8);
  return true;
}

function note(g, text, y) {
  g.textAlign = "left";
  g.fillStyle = colours.card;
  g.fillRect(gutter + 4, y - 8, g.measureText(text).width + 12, 16);
  g.fillStyle = colours.quiet;
  g.fillText(text, gutter + 10, y);
}

function drawLevels(g, row, level, seen, noun) {
  const high = (n) => row.y + row.height - (n / level.peak) * (row.height - 14);
  g.fillStyle = noun === "call" ? colours.c0 : colours.fiber;
  g.globalAlpha = 0.55;
  g.beginPath();
  g.moveTo(x(view.from), row.y + row.height);
  let n = 0, most = 0;
  for (const [t, now] of level.steps) {
    if (t > view.to) break;
    const at = Math.max(x(t), gutter - 1);
    g.lineTo(at, high(n));
    g.lineTo(at, high(now));
    n = now;
    if (t >= view.from) most = Math.max(most, n);
  }
  g.lineTo(x(view.to), high(n));
  g.lineTo(x(view.to), row.y + row.height);
  g.fill();
  g.globalAlpha = 1;
  const idle = noun === "function" && !seen.some(stirs);
  note(g, idle ? `${many(seen.length, noun)}, which wait all this time` : `${many(seen.length, noun)}, at most ${count(Math.max(most, n))} at once — zoom in to tell them apart`, row.y + row.height - 10);
}

// box is where an item is drawn, and where the pointer finds it.
function box(item, y, height, wide = 1) {
  const left = Math.max(x(item.start), gutter - 2), right = Math.min(x(item.end), gutter + plot() + 10);
  const b = { item, x: left, y, width: Math.max(right - left, wide), height };
  hits.push(b);
  return b;
}

// drawFiber draws a strip for the whole life of a fiber and, below it, when it worked and when it waited.
function drawFiber(g, f, y, height) {
  const b = box(f, y, height, 1.5), strip = Math.max(2, Math.round(height * 0.28));
  g.fillStyle = f.i ? colours.fiber : colours.main;
  g.fillRect(b.x, b.y, b.width, b.height);
  if (b.width > 3) {
    for (const a of f.awaits) {
      if (!inView(a) || a.kind === "settled") continue;
      const left = Math.max(x(a.start), gutter - 2), right = Math.min(x(a.end), gutter + plot() + 10);
      if (right - left < 0.5) continue;
      g.fillStyle = colours.await;
      g.fillRect(left, y + strip, right - left, height - strip);
      if (right - left > 3) hits.push({ item: a, x: left, y: y + strip, width: right - left, height: height - strip });
      if (view.selected === a || view.hover === a) frame(g, { x: left, y: y + strip, width: right - left, height: height - strip });
    }
  }
  if (f.outcome === "threw") {
    g.fillStyle = colours.bad;
    g.fillRect(Math.max(b.x, b.x + b.width - 3), b.y, Math.min(3, b.width), b.height);
  }
  const name = f.i ? f.name || "function" : "";
  if (name && height > 10) label(g, { x: b.x, y: y + strip, width: b.width, height: height - strip }, name, colours.ink);
  if (view.selected === f || view.hover === f) frame(g, b);
}

function drawCall(g, c, y, height) {
  const b = box(c, y, height);
  g.globalAlpha = c.shown ? 1 : 0.13;
  g.fillStyle = bad(c.status) ? colours.bad : colours[`c${colourOf.get(c.tool)}`];
  const gap = b.width > 3 ? 1 : 0;
  if (cutShort(c.status)) {
    g.globalAlpha *= 0.45;
    g.fillRect(b.x, b.y, b.width - gap, b.height);
    g.globalAlpha = c.shown ? 1 : 0.13;
    g.fillRect(Math.max(b.x, b.x + b.width - 3), b.y, Math.min(3, b.width), b.height);
  } else {
    g.fillRect(b.x, b.y, b.width - gap, b.height);
  }
  if (height > 11) label(g, b, c.tool.replace(/^tools\./, ""), cutShort(c.status) ? colours.ink : colours.card);
  g.globalAlpha = 1;
  if (view.selected === c || view.hover === c) {
    if (c.start > c.made) {
      g.fillStyle = colours.ink;
      g.fillRect(Math.max(x(c.made), gutter), b.y + height / 2 - 1, b.x - Math.max(x(c.made), gutter), 2);
    }
    frame(g, b);
  }
}

function frame(g, b) {
  g.strokeStyle = colours.ink;
  g.lineWidth = 1.5;
  g.strokeRect(b.x - 0.75, b.y - 0.75, b.width + 0.5, b.height + 1.5);
}

// label writes a name into a bar that has room for it, or for its last part, or for most of that.
function label(g, b, name, colour) {
  const room = b.width - 10, fits = (t) => g.measureText(t).width <= room;
  if (room < 24) return;
  let shown = name;
  if (!fits(shown)) shown = name.slice(name.lastIndexOf(".") + 1);
  if (!fits(shown)) {
    let n = Math.min(shown.length, Math.ceil(room / 4));
    while (n > 2 && !fits(`${shown.slice(0, n)}…`)) n--;
    if (n < 3) return;
    shown = `${shown.slice(0, n)}…`;
  }
  g.fillStyle = colour;
  g.textAlign = "left";
  g.fillText(shown, b.x + 5, b.y + b.height / 2 + 0.5);
}

function drawTicks(g, row, items, time, colour) {
  for (const item of items) {
    const t = time(item);
    if (t < view.from || t > view.to) continue;
    const at = x(t);
    g.globalAlpha = item.shown === false ? 0.13 : 1;
    g.fillStyle = colour(item);
    g.fillRect(at - 1, row.y + 2, 2, row.height - 4);
    g.globalAlpha = 1;
    hits.push({ item, x: at - 2, y: row.y, width: 4, height: row.height });
    if (view.selected === item || view.hover === item) frame(g, { x: at - 1, y: row.y + 2, width: 2, height: row.height - 4 });
  }
}

function drawMarks(g, height) {
  if (view.mark === null || view.mark < view.from || view.mark > view.to) return;
  g.fillStyle = colours.accent;
  g.fillRect(x(view.mark) - 0.5, axis - 4, 1, height);
}

// drawOverview draws how many calls run over the whole time, and what part of it is shown.
function drawOverview() {
  const { g, width, height } = paper(overview);
  const at = (t) => (t / total) * width;
  const level = ran.length ? callLevels : fiberLevels;
  if (level.peak) {
    g.fillStyle = colours.c0;
    g.globalAlpha = 0.6;
    g.beginPath();
    g.moveTo(0, height);
    let n = 0;
    for (const [t, now] of level.steps) {
      g.lineTo(at(t), height - (n / level.peak) * (height - 6));
      g.lineTo(at(t), height - (now / level.peak) * (height - 6));
      n = now;
    }
    g.lineTo(width, height);
    g.fill();
    g.globalAlpha = 1;
  }
  g.fillStyle = colours.bad;
  for (const c of calls) if (bad(c.status)) g.fillRect(at(c.start), 0, 1.5, 5);
  if (view.from > 0 || view.to < total) {
    g.fillStyle = colours.ground;
    g.globalAlpha = 0.72;
    g.fillRect(0, 0, at(view.from), height);
    g.fillRect(at(view.to), 0, width - at(view.to), height);
    g.globalAlpha = 1;
    g.strokeStyle = colours.accent;
    g.lineWidth = 1.5;
    g.strokeRect(at(view.from) + 0.75, 0.75, Math.max(2, at(view.to) - at(view.from) - 1.5), height - 1.5);
  }
}

// show sets what part of the time is seen.
function show(from, to) {
  const length = Math.min(total, Math.max(least, to - from));
  const middle = (from + to) / 2;
  view.from = Math.min(Math.max(0, middle - length / 2), total - length);
  view.to = view.from + length;
  redraw();
}
function zoom(factor, about) {
  if (about === undefined) {
    about = view.selected?.start ?? view.selected?.time ?? -1;
    if (about < view.from || about > view.to) about = (view.from + view.to) / 2;
  }
  show(about - (about - view.from) * factor, about + (view.to - about) * factor);
}
const move = (part) => show(view.from + part * (view.to - view.from), view.to + part * (view.to - view.from));

// reveal brings an item into view, closer if it would be too small to see.
function reveal(item) {
  const start = item.type === "log" ? item.time : item.start, end = item.type === "log" ? item.time : item.end;
  const length = view.to - view.from;
  if (end - start < length / 400 && item.type !== "log") return show((start + end) / 2 - Math.max((end - start) * 12, least), (start + end) / 2 + Math.max((end - start) * 12, least));
  if (start < view.from || end > view.to) show((start + end) / 2 - Math.max(length, (end - start) * 1.3) / 2, (start + end) / 2 + Math.max(length, (end - start) * 1.3) / 2);
  redraw();
}

function hitAt(px, py) {
  for (let i = hits.length - 1; i >= 0; i--) {
    const h = hits[i];
    if (py >= h.y && py <= h.y + h.height && px >= h.x - 1.5 && px <= h.x + h.width + 1.5) return h.item;
  }
  return null;
}

// The panels around the timeline.

// facts says in short texts what there is to know of an item; texts are longer and have a heading each.
function facts(item) {
  const where = item.line ? [`line ${item.line}`] : [];
  switch (item.type) {
    case "call": {
      const list = [item.status, item.ran ? span(item.end - item.start) : "", `at ${span(item.made)}`, ...where];
      if (item.ran && item.start - item.made >= 0.001) list.push(`waited ${span(item.start - item.made)} for its turn`);
      if (item.index >= 0) list.push(`call ${item.index + 1}`);
      const output = item.message ? ["Message", item.message] : ["Output", item.output];
      return { title: item.tool, list, texts: [["Input", item.input], output] };
    }
    case "await": {
      const list = [item.kind === "yield" ? "suspended at yield" : item.call >= 0 ? "waits for a tool" : "waits", span(item.end - item.start), `at ${span(item.start)}`, ...where];
      if (fibers[item.fiber]?.name) list.push(`in ${fibers[item.fiber].name}`);
      const title = item.call >= 0 ? `await ${calls[item.call].tool}` : `${item.kind === "yield" ? "yield" : "await"} ${item.text}`;
      return { title, list, texts: [] };
    }
    case "fiber": {
      const waited = item.awaits.reduce((sum, a) => sum + a.end - a.start, 0);
      const list = [item.kind, item.open ? "still running at the end" : item.outcome, span(item.end - item.start), `at ${span(item.start)}`, ...where];
      if (item.awaits.length) list.push(`${many(item.awaits.length, "await")}, ${span(Math.min(waited, item.end - item.start))} of them`);
      return { title: item.i ? item.name || "(function without a name)" : "program", list, texts: [] };
    }
    default:
      return { title: `console.${item.level}`, list: [`at ${span(item.time)}`, ...where], texts: [["Text", item.text]] };
  }
}

const tip = byId("tip");
function showTip(item, px, py) {
  const f = facts(item);
  tip.replaceChildren(el("b", {}, f.title), el("br"), f.list.filter(Boolean).join(" · "));
  for (const [name, t] of f.texts) if (t) tip.append(el("span", { class: "text" }, el("i", {}, `${name} `), t.length > 320 ? `${t.slice(0, 320)}…` : t));
  tip.hidden = false;
  const w = tip.offsetWidth, h = tip.offsetHeight;
  tip.style.left = `${Math.max(8, Math.min(px + 14, innerWidth - w - 8))}px`;
  tip.style.top = `${py + 18 + h > innerHeight - 8 ? Math.max(8, py - h - 12) : py + 18}px`;
}
const hideTip = () => { tip.hidden = true; };

// pretty writes JSON with breaks if it is whole.
function pretty(t) {
  if (t.endsWith("…") || !/^[[{]/.test(t)) return t;
  try {
    JSON.parse(t);
  } catch {
    return t;
  }
  let out = "", deep = 0, quoted = false;
  for (let i = 0; i < t.length; i++) {
    const c = t[i];
    if (quoted) {
      out += c;
      if (c === "\\") out += t[++i];
      else if (c === '"') quoted = false;
    } else if (c === '"') { quoted = true; out += c; }
    else if (c === "{" || c === "[") {
      if (t[i + 1] === "}" || t[i + 1] === "]") { out += c + t[++i]; continue; }
      out += `${c}\n${"  ".repeat(++deep)}`;
    } else if (c === "}" || c === "]") out += `\n${"  ".repeat(--deep)}${c}`;
    else if (c === ",") out += `,\n${"  ".repeat(deep)}`;
    else if (c === ":") out += ": ";
    else out += c;
  }
  return out;
}

function select(item, quietly) {
  view.selected = item;
  const detail = byId("detail");
  markLine(item ? item.line : 0);
  detail.hidden = !item;
  if (item) {
    const f = facts(item);
    const texts = el("div", { class: "texts" });
    for (const [name, t] of f.texts) if (t) texts.append(el("div", {}, el("h4", {}, name), el("pre", {}, pretty(t))));
    const line = item.line ? el("button", { type: "button", class: "link", on: () => goToLine(item.line) }, `line ${item.line}`) : "";
    const caller = item.type === "call" && item.fiber > 0 ? el("p", { class: "quiet" }, "Called by ", el("button", { type: "button", class: "link", on: () => { select(fibers[item.fiber]); reveal(fibers[item.fiber]); } }, fibers[item.fiber].name || "a function without a name"), ".") : "";
    detail.replaceChildren(
      el("button", { type: "button", class: "close", on: () => { select(null); canvas.focus(); } }, "Close"),
      el("h3", {}, f.title),
      el("p", { class: "quiet" }, f.list.filter((t) => t && !t.startsWith("line ")).join(" · "), line ? " · " : "", line),
      caller, texts,
    );
  }
  if (!quietly) redraw();
}

function drawSummary() {
  byId("title").textContent = raw.title;
  const status = byId("status");
  status.textContent = raw.status;
  status.classList.add(raw.status === "succeeded" ? "good" : "bad");
  byId("headline").textContent = raw.headline;
  const slowest = ran.reduce((a, c) => (!a || c.end - c.start > a.end - a.start ? c : a), null);
  const failed = calls.filter((c) => bad(c.status)).length, stopped = calls.filter((c) => cutShort(c.status)).length;
  const tile = (name, value, small) => byId("summary").append(el("div", {}, el("dt", {}, name), el("dd", {}, value, small ? el("small", {}, small) : "")));
  tile("Duration", span(raw.duration), raw.compile ? `${span(raw.compile)} to compile` : "");
  tile("Calls", count(calls.length + (raw.dropped.calls || 0)), [failed ? `${count(failed)} failed` : "", stopped ? `${count(stopped)} cut short` : ""].filter(Boolean).join(", ") || (calls.length ? "none failed" : ""));
  tile("At once", count(callLevels.peak), "calls, at most");
  if (slowest) {
    tile("Slowest call", span(slowest.end - slowest.start));
    byId("summary").lastChild.lastChild.append(el("small", {}, el("button", { type: "button", class: "link", on: () => { select(slowest); reveal(slowest); } }, slowest.tool)));
  }
  tile("Fibers", count(fibers.length + (raw.dropped.fibers || 0)), fibers.length > 1 ? `${many(fiberLevels.peak, "function")} at once` : "the program alone");
  const own = raw.lines.reduce((sum, l) => sum + l[2], 0), steps = raw.lines.reduce((sum, l) => sum + l[1], 0);
  tile("Own work", span(own), many(steps, "step"));
  byId("remarks").replaceChildren(...raw.remarks.map((t) => el("li", {}, t)));
  byId("remarks").hidden = !raw.remarks.length;
  byId("failure").hidden = !raw.failure;
  byId("failure-text").textContent = raw.failure;
  byId("value-section").hidden = !raw.value;
  byId("value").textContent = pretty(raw.value);
}

function drawTools() {
  byId("tools-section").hidden = !tools.length;
  const number = (t) => el("td", { class: "n" }, t);
  byId("tools").replaceChildren(
    el("thead", {}, el("tr", {}, el("th", {}, "Tool"), ...["Calls", "Failed", "Total", "Median", "Longest"].map((t) => el("th", { class: "n" }, t)))),
    el("tbody", {}, ...tools.map((t) => {
      const swatch = el("span", { class: "swatch" });
      swatch.style.setProperty("--swatch", `var(--c${t.colour})`);
      const name = el("button", { type: "button", class: "link", title: "Show these calls alone", on: () => { byId("tool").value = byId("tool").value === t.name ? "" : t.name; filter(); } }, t.name);
      const part = (q) => (t.times.length ? span(t.times[Math.min(t.times.length - 1, Math.floor(q * t.times.length))]) : "–");
      const failed = el("td", { class: t.failed ? "n bad" : "n" }, count(t.failed));
      return el("tr", {}, el("td", {}, swatch, name), number(count(t.calls)), failed, number(t.times.length ? span(t.time) : "–"), number(part(0.5)), number(part(1)));
    })),
  );
}

const lineRows = [];
function drawProgram() {
  const lines = raw.source.split(/\r\n|\r|\n/);
  if (lines.length > 1 && lines[lines.length - 1] === "") lines.pop();
  const steps = new Array(lines.length + 1).fill(0), self = steps.slice(), made = steps.slice(), failed = steps.slice();
  for (const [line, n, ms] of raw.lines) { steps[line] = n; self[line] = ms; }
  for (const c of calls) if (c.line) { made[c.line]++; if (bad(c.status)) failed[c.line]++; }
  const allSteps = steps.reduce((a, b) => a + b, 0) || 1, allSelf = self.reduce((a, b) => a + b, 0) || 1;
  const hottest = self.reduce((a, b) => Math.max(a, b), 0) / allSelf || 1;
  const share = (part, colour, value) => {
    const bar = el("span", { class: "share" });
    bar.style.setProperty("--part", `${part * 100}%`);
    bar.style.setProperty("--of", `var(--${colour})`);
    return el("td", { class: "n" }, value ? bar : "", value);
  };
  const body = el("tbody");
  lines.forEach((code, i) => {
    const n = i + 1;
    const cell = el("td", { class: "code" }, code || " ");
    const heat = self[n] / allSelf / hottest;
    if (heat > 0.005) cell.style.setProperty("--hot", `${(4 + 30 * heat).toFixed(1)}%`);
    const row = el("tr", { id: `line-${n}` }, el("td", { class: "n no" }, String(n)),
      share(self[n] / allSelf, "heat", steps[n] ? span(self[n]) : ""), share(steps[n] / allSteps, "step", steps[n] ? count(steps[n]) : ""),
      el("td", { class: failed[n] ? "n bad" : "n" }, made[n] ? count(made[n]) : ""), cell);
    if (raw.failedLine === n) row.classList.add("failed");
    lineRows[n] = row;
    body.append(row);
  });
  byId("program").replaceChildren(el("thead", {}, el("tr", {}, el("th", { class: "n" }, "Line"), el("th", { class: "n" }, "Own time"), el("th", { class: "n" }, "Steps"), el("th", { class: "n" }, "Calls"), el("th", {}, ""))), body);
  byId("program-note").textContent = raw.lines.length ? "Own time is without waiting and what a line called; tracing itself makes it longer." : "It did not run.";
}
let marked = 0;
function markLine(line) {
  lineRows[marked]?.classList.remove("marked");
  lineRows[line]?.classList.add("marked");
  marked = line;
}
function goToLine(line) {
  markLine(line);
  lineRows[line]?.scrollIntoView({ block: "center" });
}

const logPage = 200;
let logsShown = 0;
function drawLogs() {
  byId("logs-section").hidden = !logs.length;
  const more = () => {
    for (const l of logs.slice(logsShown, logsShown + logPage)) {
      const time = el("button", { type: "button", class: "link time", title: "Show in the timeline", on: () => { view.mark = l.time; select(l); reveal(l); canvas.scrollIntoView({ block: "nearest" }); } }, span(l.time));
      const place = l.line ? el("button", { type: "button", class: "link place", on: () => goToLine(l.line) }, `line ${l.line}`) : el("span", { class: "place" });
      byId("logs").append(el("li", {}, time, el("span", { class: l.level }, l.level), place, el("span", { class: `text ${l.level}` }, l.text)));
    }
    logsShown = Math.min(logs.length, logsShown + logPage);
    byId("more-logs").hidden = logsShown >= logs.length;
    byId("more-logs").textContent = `Show ${count(Math.min(logPage, logs.length - logsShown))} more of ${count(logs.length)}`;
  };
  byId("more-logs").addEventListener("click", more);
  more();
}

const callPage = 50;
let page = 0;
const visible = () => calls.filter((c) => c.shown);
function drawCalls() {
  byId("calls-section").hidden = !calls.length;
  const list = visible(), pages = Math.max(1, Math.ceil(list.length / callPage));
  page = Math.min(Math.max(0, page), pages - 1);
  byId("page").textContent = `${page + 1} of ${pages}`;
  byId("previous").disabled = page === 0;
  byId("next").disabled = page === pages - 1;
  byId("calls").replaceChildren(
    el("thead", {}, el("tr", {}, el("th", { class: "n" }, "At"), el("th", {}, "Tool"), el("th", {}, "Status"), el("th", { class: "n" }, "Took"), el("th", { class: "n" }, "Line"), el("th", {}, "Input"))),
    el("tbody", {}, ...list.slice(page * callPage, (page + 1) * callPage).map((c) => el("tr", {},
      el("td", { class: "n" }, span(c.made)),
      el("td", { class: "tool" }, el("button", { type: "button", class: "link", on: () => { select(c); reveal(c); canvas.scrollIntoView({ block: "nearest" }); } }, c.tool)),
      el("td", { class: bad(c.status) ? "bad" : cutShort(c.status) ? "warn" : "" }, c.status),
      el("td", { class: "n" }, c.ran ? span(c.end - c.start) : "–"),
      el("td", { class: "n" }, c.line ? String(c.line) : ""),
      el("td", { class: "quiet" }, c.input.length > 80 ? `${c.input.slice(0, 80)}…` : c.input)))),
  );
}

function filter() {
  const name = byId("tool").value.trim().toLowerCase(), status = byId("only").value;
  for (const c of calls) c.shown = (!name || c.tool.toLowerCase().includes(name)) && (!status || c.status === status);
  const n = visible().length;
  byId("shown").textContent = n === calls.length ? "" : `${count(n)} of ${count(calls.length)}`;
  page = 0;
  drawCalls();
  redraw();
}

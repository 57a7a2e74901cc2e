// The data of the page, and what is worked out of it. All times are milliseconds since the beginning.
const raw = JSON.parse(document.getElementById("data").textContent);
const text = (i) => (i < 0 ? "" : raw.texts[i]);
const total = Math.max(raw.duration, 0.001);
const until = (t) => (t < 0 ? total : t);

const fibers = raw.fibers.map((f, i) => ({
  type: "fiber", i, parent: f[0], start: f[1], end: until(f[2]), open: f[2] < 0, outcome: raw.outcomes[f[3]], kind: raw.kinds[f[4]],
  name: text(f[5]), line: f[6], column: f[7], depth: 0, awaits: [],
}));
for (const f of fibers) f.depth = f.parent < 0 ? (f.i ? 1 : 0) : fibers[f.parent].depth + 1;
const awaits = raw.awaits.map((a, i) => ({
  type: "await", i, fiber: a[0], start: a[1], end: until(a[2]), kind: raw.awaitKinds[a[3]], call: a[4], line: a[5], column: a[6], text: text(a[7]),
}));
for (const a of awaits) if (a.fiber >= 0) fibers[a.fiber].awaits.push(a);
const calls = raw.calls.map((c, i) => {
  const made = c[1], started = c[2], end = until(c[3]);
  return {
    type: "call", i, tool: text(c[0]), made, start: started < 0 ? made : started, ran: started >= 0, end, status: raw.statuses[c[4]],
    fiber: c[5], line: c[6], column: c[7], index: c[8], input: text(c[9]), output: text(c[10]), message: text(c[11]), shown: true, lane: 0,
  };
});
const logs = raw.logs.map((l, i) => ({ type: "log", i, time: l[0], level: l[1], text: text(l[2]), line: l[3], fiber: l[4] }));
const bad = (s) => s === "failed" || s === "refused" || s === "abandoned";
const cutShort = (s) => s === "interrupted" || s === "not started";

const mostSearched = 64;

// packFew gives each item the first lane that is free at its start; items are in the order of their starts. It is -1 if that
// takes too many lanes to search them all.
function packFew(items) {
  const ends = [];
  for (const item of items) {
    let lane = ends.findIndex((end) => end <= item.start);
    if (lane < 0) lane = ends.length;
    if (lane >= mostSearched) return -1;
    // A moment still takes its lane, so that what happens at once is seen side by side.
    ends[lane] = Math.max(item.end, item.start + total / 1e5);
    item.lane = lane;
  }
  return ends.length;
}
const byStart = (a, b) => a.start - b.start || a.i - b.i;

// Lanes of fibers: the program, then by depth of calling, so that a fiber stands below the one that called it.
let fiberLanes = 0;
{
  const depths = [];
  for (const f of fibers) (depths[f.depth] ??= []).push(f);
  for (const level of depths) {
    if (!level) continue;
    const lanes = pack(level.sort(byStart));
    for (const f of level) f.lane += fiberLanes;
    fiberLanes += lanes;
  }
}

// pack is packFew, or for many items at once a heap of the lanes by their end instead of a search.
function pack(items) {
  const few = packFew(items);
  if (few >= 0) return few;
  const heap = [];
  let lanes = 0;
  const up = (i) => { while (i && heap[(i - 1) >> 1][0] > heap[i][0]) { const p = (i - 1) >> 1; [heap[p], heap[i]] = [heap[i], heap[p]]; i = p; } };
  const down = () => {
    for (let i = 0; ;) {
      let k = 2 * i + 1;
      if (k >= heap.length) return;
      if (k + 1 < heap.length && heap[k + 1][0] < heap[k][0]) k++;
      if (heap[k][0] >= heap[i][0]) return;
      [heap[k], heap[i]] = [heap[i], heap[k]];
      i = k;
    }
  };
  for (const item of items) {
    const end = Math.max(item.end, item.start + total / 1e5);
    if (heap.length && heap[0][0] <= item.start) {
      item.lane = heap[0][1];
      heap[0][0] = end;
      down();
    } else {
      item.lane = lanes++;
      heap.push([end, item.lane]);
      up(heap.length - 1);
    }
  }
  return lanes;
}

// Calls that ran have lanes; those that never began have one row for all.
const ran = calls.filter((c) => c.ran).sort(byStart);
const idle = calls.filter((c) => !c.ran).sort(byStart);
const callLanes = pack(ran);

// levels is the number of items alive over time: pairs of a time and a number, and the peak.
function levels(items) {
  const edges = [];
  for (const item of items) edges.push([item.start, 1], [item.end, -1]);
  edges.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const steps = [];
  let n = 0, peak = 0;
  for (const [t, d] of edges) {
    n += d;
    peak = Math.max(peak, n);
    if (steps.length && steps[steps.length - 1][0] === t) steps[steps.length - 1][1] = n;
    else steps.push([t, n]);
  }
  return { steps, peak };
}
const callLevels = levels(ran);
const fiberLevels = levels(fibers.slice(1));

// The tools, those with the longest time first; the first eight have a colour of their own.
const tools = [...calls.reduce((map, c) => {
  const t = map.get(c.tool) ?? { name: c.tool, calls: 0, failed: 0, time: 0, times: [] };
  t.calls++;
  if (bad(c.status)) t.failed++;
  if (c.ran) { t.time += c.end - c.start; t.times.push(c.end - c.start); }
  return map.set(c.tool, t);
}, new Map()).values()].sort((a, b) => b.time - a.time || b.calls - a.calls);
tools.forEach((t, i) => { t.colour = Math.min(i, 8); t.times.sort((a, b) => a - b); });
const colourOf = new Map(tools.map((t) => [t.name, t.colour]));

const digits = (x, most) => x.toLocaleString("en", { maximumFractionDigits: most });
const count = (n) => n.toLocaleString("en");
function span(ms) {
  if (ms >= 60000) return `${Math.floor(ms / 60000)} min ${digits((ms % 60000) / 1000, 1)} s`;
  if (ms >= 1000) return `${digits(ms / 1000, ms >= 10000 ? 1 : 2)} s`;
  if (ms >= 1) return `${digits(ms, ms >= 100 ? 0 : ms >= 10 ? 1 : 2)} ms`;
  return ms > 0 && ms < 0.001 ? "<1 µs" : `${digits(ms * 1000, 0)} µs`;
}
const many = (n, one, more) => `${count(n)} ${n === 1 ? one : more ?? one + "s"}`;

// el makes an element. Texts are always texts: nothing of the data is read as markup.
function el(name, options = {}, ...children) {
  const e = document.createElement(name);
  for (const [k, v] of Object.entries(options)) {
    if (k === "class") e.className = v;
    else if (k === "on") e.addEventListener("click", v);
    else e[k] = v;
  }
  e.append(...children.filter((c) => c !== null && c !== undefined && c !== ""));
  return e;
}
const byId = (id) => document.getElementById(id);

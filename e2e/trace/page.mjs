// Opens a page in Chromium, looks at it as a person would, and prints what it saw as JSON.
// Usage: node page.mjs FILE SCREENSHOTS NAME WIDTH SCHEME
import { chromium } from "playwright-core";

const [file, folder, name, width, scheme] = process.argv.slice(2);
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM, headless: true,
  args: ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
});
const page = await browser.newPage({ viewport: { width: Number(width), height: 1000 }, colorScheme: scheme });
const seen = { errors: [], requests: [], tips: [] };
page.on("console", (m) => { if (m.type() !== "log" && m.type() !== "info") seen.errors.push(m.text()); });
page.on("pageerror", (e) => seen.errors.push(String(e)));
page.on("dialog", (d) => { seen.errors.push(`dialog ${d.message()}`); d.dismiss(); });
page.on("request", (r) => { if (r.url() !== `file://${file}`) seen.requests.push(r.url()); });

// What is written onto a canvas is noted until it is cleared.
await page.addInitScript(() => {
  const proto = CanvasRenderingContext2D.prototype, { fillText, clearRect, fillRect } = proto;
  const notes = new WeakMap();
  window.written = (id) => notes.get(document.getElementById(id)) ?? { texts: [], bars: 0 };
  proto.clearRect = function (...a) { notes.set(this.canvas, { texts: [], bars: 0 }); return clearRect.apply(this, a); };
  proto.fillRect = function (...a) { const n = notes.get(this.canvas); if (n) n.bars++; return fillRect.apply(this, a); };
  proto.fillText = function (text, x, y) {
    const w = this.measureText(text).width, left = this.textAlign === "right" ? x - w : this.textAlign === "center" ? x - w / 2 : x;
    notes.get(this.canvas)?.texts.push({ text, left, right: left + w, top: y - 6, bottom: y + 6 });
    return fillText.call(this, text, x, y);
  };
});
await page.goto(`file://${file}`);
await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
const shoot = (what, options = {}) => page.screenshot({ path: `${folder}/${name}-${what}.png`, ...options });
const written = () => page.evaluate(() => window.written("timeline"));
const range = () => page.getAttribute("#timeline", "aria-label");
const settle = () => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));

// overlaps lists texts that lie upon each other, and what reaches beyond the page.
const overlaps = () => page.evaluate(() => {
  const boxes = [], found = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let n; (n = walker.nextNode()) && boxes.length < 1500;) {
    const p = n.parentElement;
    if (!n.data.trim() || ["SCRIPT", "STYLE", "NOSCRIPT", "OPTION"].includes(p.tagName) || p.closest("[hidden], pre, #logs")) continue;
    const r = document.createRange();
    r.selectNodeContents(n);
    for (const b of r.getClientRects()) {
      boxes.push({ text: n.data.trim().slice(0, 40), left: b.left, right: b.right, top: b.top, bottom: b.bottom });
      if (!p.closest(".scroll") && (b.right > document.documentElement.clientWidth + 1 || b.left < -1)) found.push(`beyond the page: ${n.data.trim().slice(0, 60)}`);
    }
  }
  const w = window.written("timeline");
  const canvas = w.texts.map((t) => ({ ...t }));
  for (const t of canvas) if (t.left < 0 || t.right > document.getElementById("timeline").clientWidth + 1) found.push(`beyond the timeline: ${t.text}`);
  for (const list of [boxes, canvas]) {
    for (let i = 0; i < list.length; i++) {
      for (let k = i + 1; k < list.length; k++) {
        const a = list[i], b = list[k];
        if (Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1.5 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 2.5) found.push(`${a.text} | ${b.text}`);
      }
    }
  }
  if (document.documentElement.scrollWidth > document.documentElement.clientWidth) found.push("the page is wider than the window");
  return found;
});

seen.title = await page.textContent("#title");
seen.status = await page.textContent("#status");
seen.summary = await page.$$eval("#summary div", (list) => Object.fromEntries(list.map((d) => [d.querySelector("dt").textContent, d.querySelector("dd").firstChild.textContent])));
seen.failure = await page.isVisible("#failure") ? await page.textContent("#failure-text") : "";
seen.remarks = await page.$$eval("#remarks li", (list) => list.map((l) => l.textContent));
seen.whole = await written();
seen.overlaps = await overlaps();
seen.tools = await page.$$eval("#tools tbody tr", (rows) => rows.map((r) => [...r.cells].map((c) => c.textContent)));
seen.heat = await page.$$eval("#program td.code", (cells) => cells.filter((c) => c.style.getPropertyValue("--hot")).map((c) => c.parentElement.id));
seen.lines = await page.$$eval("#program tbody tr", (rows) => rows.map((r) => [...r.cells].slice(2, 4).map((c) => c.textContent)));
seen.logs = await page.$$eval("#logs li", (list) => list.map((l) => l.lastChild.textContent));
seen.images = await page.$$eval("img, iframe, object, embed, link", (list) => list.length);
await shoot("whole", { fullPage: true });

// The pointer goes along the timeline; what it meets tells of itself.
seen.overlaps.push(...(await page.evaluate((tips) => {
  const found = [], canvas = document.getElementById("timeline"), tip = document.getElementById("tip"), box = canvas.getBoundingClientRect();
  canvas.scrollIntoView({ block: "center" });
  for (let y = 27; y < box.height; y += 4) {
    for (let x = 95; x < box.width - 4; x += box.width / 60) {
      const at = canvas.getBoundingClientRect();
      canvas.dispatchEvent(new PointerEvent("pointermove", { clientX: at.left + x, clientY: at.top + y, bubbles: true }));
      if (tip.hidden) continue;
      const b = tip.getBoundingClientRect();
      if (b.left < 0 || b.top < 0 || b.right > innerWidth || b.bottom > innerHeight) found.push(`a tooltip leaves the window: ${tip.textContent.slice(0, 60)}`);
      window.spot ??= [x, y];
      if (tips.length < 200 && !tips.includes(tip.textContent)) tips.push(tip.textContent);
    }
  }
  canvas.dispatchEvent(new PointerEvent("pointerleave"));
  window.tips = tips;
  window.scrollTo(0, 0);
  return found;
}, [])));
seen.tips = await page.evaluate(() => window.tips);
await settle();
const box = await page.locator("#timeline").boundingBox();
const spot = await page.evaluate(() => window.spot);
if (spot) await page.mouse.move(box.x + spot[0], box.y + spot[1]);
seen.tipOfPointer = (await page.isVisible("#tip")) ? await page.textContent("#tip") : "";
if (seen.tips.length) await shoot("tip");
await page.mouse.move(2, 2);

// The keyboard alone: call by call, closer, and back.
await page.focus("#timeline");
seen.rangeBefore = await range();
if (seen.tools.length) {
  await page.keyboard.press("ArrowDown");
  await settle();
  seen.firstDetail = await page.textContent("#detail");
  await page.keyboard.press("ArrowDown");
  await settle();
  seen.secondDetail = await page.textContent("#detail");
  await shoot("detail");
}
for (let i = 0; i < 4; i++) await page.keyboard.press("+");
await settle();
seen.rangeCloser = await range();
seen.closer = await written();
seen.overlaps.push(...(await overlaps()));
await page.keyboard.press("ArrowRight");
await settle();
seen.rangeRight = await range();
await shoot("closer");
await page.keyboard.press("0");
await settle();
seen.rangeAfter = await range();

// The wheel and dragging.
await page.locator("#timeline").scrollIntoViewIfNeeded();
const at = await page.locator("#timeline").boundingBox();
await page.mouse.move(at.x + at.width / 2, at.y + at.height / 2);
await page.mouse.wheel(0, -400);
await settle();
seen.rangeWheel = await range();
await page.mouse.down();
await page.mouse.move(at.x + at.width / 2 + 120, at.y + at.height / 2, { steps: 4 });
await page.mouse.up();
await settle();
seen.rangeDragged = await range();
await page.keyboard.press("0");

if (seen.tools.length) {
  await page.fill("#tool", seen.tools.at(-1)[0]);
  seen.filtered = await page.textContent("#shown");
  seen.rows = await page.$$eval("#calls tbody tr", (rows) => rows.length);
  await page.fill("#tool", "");
}
if (seen.logs.length) {
  await page.locator("#logs button.time").first().click();
  seen.logDetail = await page.textContent("#detail");
}
const started = performance.now();
for (let i = 0; i < 20; i++) {
  await page.evaluate((i) => document.getElementById(i % 2 ? "in" : "out").click(), i);
  await settle();
}
seen.redrawMs = (performance.now() - started) / 20;
await page.emulateMedia({ media: "print" });
await page.pdf({ path: `${folder}/${name}.pdf` });
await browser.close();
console.log(JSON.stringify(seen));

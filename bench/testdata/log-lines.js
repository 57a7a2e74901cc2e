const log = [];
for (let i = 0; i < 2000; i++) {
  log.push(`2024-0${1 + i % 9}-1${i % 10} ${i % 3 ? "INFO" : "ERROR"} [svc-${i % 7}] request id=${i * 31} took ${i % 400}ms`);
}
const hits = [];
for (const line of log.join("\n").split("\n")) {
  const m = line.match(/^(\d{4}-\d\d-\d\d) (\w+) \[(.+?)\] .*id=(\d+) took (\d+)ms$/);
  if (!m) continue;
  const [, day, level, service, id, ms] = m;
  if (level === "ERROR" && Number(ms) > 100) hits.push({day, service, id: parseInt(id, 10), ms: +ms});
}
return hits.length + hits.reduce((sum, h) => sum + h.ms, 0);

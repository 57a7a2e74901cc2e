const byMonth = {};
let early = 0;
for (const o of rows) {
  const d = new Date(o.created);
  const key = d.getUTCFullYear() + "-" + String(d.getUTCMonth() + 1).padStart(2, "0");
  byMonth[key] = (byMonth[key] || 0) + 1;
  const due = new Date(d.getTime() + 7 * 864e5);
  if (due.toISOString().slice(0, 10) < "2024-06-01") early++;
}
return JSON.stringify(Object.entries(byMonth).sort()) + early;

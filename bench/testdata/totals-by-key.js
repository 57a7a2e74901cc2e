const totals = rows.reduce((acc, {region, amount, qty}) => {
  acc[region] = (acc[region] || 0) + amount * qty;
  return acc;
}, {});
const counts = {};
for (const {status, customer: {vip}} of rows) {
  const key = `${status}/${vip}`;
  counts[key] = (counts[key] ?? 0) + 1;
}
const top = Object.entries(totals).sort(([, a], [, b]) => b - a).slice(0, 3);
return JSON.stringify(top) + JSON.stringify(Object.entries(counts).sort());

let total = 0;
for (let k = 0; k < 5; k++) {
  total += rows
    .filter(o => o.status === "paid" && o.amount > 20)
    .map(o => ({id: o.id, total: o.amount * o.qty, region: o.region}))
    .reduce((sum, o) => sum + o.total, 0);
}
return total;

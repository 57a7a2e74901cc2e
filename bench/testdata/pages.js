const fetchOne = async id => { await null; return {id, ok: id % 2 === 0} };
const found = [];
for (let i = 0; i < rows.length; i += 50) {
  const page = await Promise.all(rows.slice(i, i + 50).map(o => fetchOne(o.id)));
  found.push(...page.filter(p => p.ok));
}
const settled = await Promise.allSettled(found.map(async o => {
  if (o.id % 10 === 0) throw new Error("bad " + o.id);
  return o.id;
}));
return settled.filter(s => s.status === "fulfilled").length;

const byRegion = new Map();
for (const o of rows) {
  const group = byRegion.get(o.region) ?? [];
  group.push(o);
  byRegion.set(o.region, group);
}
const byStatus = {};
for (const o of rows) (byStatus[o.status] ??= []).push(o.id);
const counts = [...byRegion.entries()].map(([region, list]) => `${region}: ${list.length}`);
return counts.sort().join(", ") + Object.keys(byStatus).sort().join(", ");

const sorted = [...rows].sort((a, b) => a.region.localeCompare(b.region) || b.amount - a.amount || a.id - b.id);
return sorted.slice(0, 20).map(o => o.id).join(",");

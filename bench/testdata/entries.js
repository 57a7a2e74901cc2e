let n = 0;
for (const o of rows) {
  const flat = Object.fromEntries(
    Object.entries(o).filter(([k, v]) => typeof v !== "object").map(([k, v]) => [k.toUpperCase(), v]));
  n += Object.keys(flat).length;
}
return n;

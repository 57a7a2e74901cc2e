const width = Math.max(...rows.map(o => o.customer.name.length));
const lines = rows.map((o, i) =>
  `${String(i + 1).padStart(4)} | ${o.customer.name.padEnd(width)} | ${o.region} | ${(o.amount * o.qty).toFixed(2).padStart(10)}`);
let text = "# Orders\n";
for (const line of lines) text += line + "\n";
return text.length + lines.join("\n").length;

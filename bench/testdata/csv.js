const text = ["id,name,amount", ...rows.map(o => [o.id, o.customer.name, o.amount].join(","))].join("\n");
const [head, ...body] = text.trim().split("\n").map(line => line.split(",").map(cell => cell.trim()));
const records = body.map(cells => Object.fromEntries(head.map((name, i) => [name, cells[i]])));
return records.filter(r => Number(r.amount) > 50).length;

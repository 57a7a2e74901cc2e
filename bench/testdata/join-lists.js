const users = new Map();
for (const {customer: {name}} of rows) {
  users.set(name, {name, mail: name.toLowerCase().replace(/\s+/g, ".") + "@example.com"});
}
let n = 0;
for (const o of rows) {
  const user = users.get(o.customer.name);
  if (user?.mail.includes(".1") && o.tags.some(t => t.startsWith("b"))) n++;
}
const tagged = rows.flatMap(o => o.tags.map(t => t + ":" + o.region));
return n + new Set(tagged).size;

const priced = rows.map(o => ({...o, total: o.amount * o.qty, customer: {...o.customer, seen: true}}));
const names = [...new Set(priced.map(o => o.customer.name))];
const widths = priced.map(({tags, ...rest}) => Object.keys(rest).length);
return widths.reduce((a, b) => a + b, 0) + names.length;

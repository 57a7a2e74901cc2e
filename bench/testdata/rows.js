const rows = [];
for (let i = 0; i < 2000; i++) rows.push({
  id: i, region: ["north", "south", "east", "west"][i % 4], status: i % 3 ? "paid" : "open",
  amount: (i * 37) % 101 + 0.5, qty: i % 5 + 1, customer: {name: "Customer " + i % 97, vip: i % 11 === 0},
  tags: ["a" + i % 3, "b" + i % 5], created: "2024-0" + (1 + i % 9) + "-1" + i % 10 + "T0" + i % 10 + ":00:00Z",
});

// Hands the open issues of one person over to the other owners of the repositories, in turn, with a comment on each.
// The person is the program's input: codemode run examples/handover.ts --input '{"from": "mlin"}'

const from: string = input?.from ?? "mlin";
const person = await tools.users.get({ login: from });

const repos = (await tools.repos.list()).filter((r) => r.owners.includes(from));
const moved: { issue: string; to: string }[] = [];
const left: string[] = [];

for (const repo of repos) {
  const others = repo.owners.filter((o) => o !== from);
  const { items } = await tools.issues.list({ repo: repo.name, assignee: from, perPage: 50 });
  for (const [i, issue] of items.entries()) {
    const id = { repo: repo.name, number: issue.number };
    const to = others[i % others.length];
    if (!to) {
      left.push(`${repo.name}#${issue.number}`);
      continue;
    }
    try {
      await tools.issues.update({ ...id, assignee: to });
      await tools.issues.comment({ ...id, body: `${person.name} handed this over to @${to}.` });
      moved.push({ issue: `${repo.name}#${issue.number}`, to });
    } catch (e) {
      console.warn(`${repo.name}#${issue.number}: ${(e as Error).message}`);
      left.push(`${repo.name}#${issue.number}`);
    }
  }
}

return { from: person.name, moved, left };

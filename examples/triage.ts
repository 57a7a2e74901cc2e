// What should the on-call team look at first? Reads all open issues of all repositories, a page at a time and the
// repositories at once, scores them, reads the comments of the worst ones, and returns a short list.

interface Issue {
  repo: string; number: number; title: string; labels: string[]; assignee: string | null;
  comments: number; reactions: { "+1": number }; createdAt: string; updatedAt: string;
}

const weights: Record<string, number> = { security: 60, "data loss": 60, crash: 40, regression: 30, reliability: 25, bug: 10, flaky: 5 };
const day = 24 * 60 * 60 * 1000;

async function openIssues(repo: string): Promise<Issue[]> {
  const all: Issue[] = [];
  for (let page: number | null = 1; page !== null; ) {
    const { items, nextPage } = await tools.issues.list({ repo, perPage: 5, page });
    all.push(...items);
    page = nextPage;
  }
  return all;
}

const [today, repos] = await Promise.all([tools.tracker.today(), tools.repos.list()]);
const active = repos.filter((r) => !r.archived);
const issues = (await Promise.all(active.map((r) => openIssues(r.name)))).flat();

function score(issue: Issue): number {
  const age = (Date.parse(today) - Date.parse(issue.createdAt)) / day;
  const silent = (Date.parse(today) - Date.parse(issue.updatedAt)) / day;
  const labels = issue.labels.reduce((sum, l) => sum + (weights[l] ?? 0), 0);
  return Math.round(labels + Math.min(age, 90) / 10 + Math.min(silent, 60) / 6 + issue.reactions["+1"] + (issue.assignee ? 0 : 15));
}

const ranked = issues
  .map((issue) => ({ issue, score: score(issue) }))
  .sort((a, b) => b.score - a.score || a.issue.repo.localeCompare(b.issue.repo) || a.issue.number - b.issue.number)
  .slice(0, 8);

const urgent = await Promise.all(ranked.map(async ({ issue, score }) => {
  const comments = issue.comments > 0 ? await tools.issues.comments({ repo: issue.repo, number: issue.number }) : [];
  return {
    issue: `${issue.repo}#${issue.number}`,
    title: issue.title,
    score,
    labels: issue.labels.join(", "),
    assignee: issue.assignee ?? "nobody",
    silentDays: Math.floor((Date.parse(today) - Date.parse(issue.updatedAt)) / day),
    lastWord: comments.at(-1)?.body ?? null,
  };
}));

const perLabel = new Map<string, number>();
for (const { labels } of issues) for (const l of labels) perLabel.set(l, (perLabel.get(l) ?? 0) + 1);

return {
  date: today.slice(0, 10),
  open: issues.length,
  unassigned: issues.filter((i) => !i.assignee).length,
  byLabel: Object.fromEntries([...perLabel].sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1)).slice(0, 6)),
  urgent,
};

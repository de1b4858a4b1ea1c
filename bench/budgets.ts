/** The limits of the figures. Ratios and growth do not depend on the machine; the rest is for two shared cores. */
import { failures } from './figures.ts'

export interface Budget {
  /** name of a benchmark and of its figure */
  of: string
  figure: string
  least?: number
  most?: number
}

export const budgets: readonly Budget[] = [
  { of: 'sqlite', figure: 'list, varied: answers', least: 3000 },
  { of: 'sqlite', figure: 'view, varied: answers', least: 8000 },
  { of: 'sqlite', figure: 'create: answers', least: 2000 },
  { of: 'postgres', figure: 'list, varied: answers', least: 1000 },
  { of: 'postgres', figure: 'view, varied: answers', least: 1800 },
  { of: 'postgres', figure: 'create: answers', least: 350 },
  { of: 'postgres', figure: 'create without network: answers', least: 900 },
  { of: 'growth-sqlite', figure: 'list, varied: growth of p50', most: 1.5 },
  { of: 'growth-sqlite', figure: 'view, varied: growth of p50', most: 1.5 },
  { of: 'growth-postgres', figure: 'list, varied: growth of p50', most: 1.5 },
  { of: 'growth-postgres', figure: 'view, varied: growth of p50', most: 1.5 },
  { of: 'distance', figure: 'view, varied: p50', most: 6 },
  ...['list', 'view', 'create'].map((name) => ({
    of: 'equal',
    figure: `${name}: SQLite to PostgreSQL`,
    most: 3,
  })),
  // Needs more processors than the clients, one server and the database keep busy.
  ...['list', 'view'].map((name) => ({ of: 'equal', figure: `${name}: two servers to one`, least: 1.3 })),
  { of: 'pools', figure: 'take: growth of p50', most: 1.5 },
  { of: 'access', figure: 'check of 200 groups and 64 assignments: p50', most: 0.2 },
  { of: 'access', figure: 'page of users: growth of p50', most: 1.5 },
  { of: 'access', figure: 'found user: growth of p50', most: 1.5 },
  { of: 'audit', figure: 'create: CPU with the log', most: 1.1 },
  ...['newest entries', 'newest of a silo', 'newest of an operation', 'newest about a name'].map((name) => ({
    of: 'audit',
    figure: `${name}: growth of p50`,
    most: 1.5,
  })),
  { of: 'handshakes', figure: 'added by choosing of 500: p50', most: 1 },
  { of: 'handshakes', figure: 'added by choosing for the first time: p50', most: 5 },
  ...['find-sqlite', 'find-postgres'].flatMap((of) =>
    [
      'find one name',
      'find the end of a name',
      'search one name',
      'search the beginning of all names',
    ].flatMap((name) => [
      { of, figure: `${name} of 10000: p50`, most: 150 },
      { of, figure: `${name} of 1000000: p50`, most: 300 },
    ]),
  ),
  { of: 'tags', figure: 'by a tag compared with a state', most: 1 },
  { of: 'crowded', figure: 'search for one name', most: 150 },
  { of: 'crowded', figure: 'search for one name: requests', most: 1 },
  { of: 'crowded', figure: 'search for one name: bytes', most: 10 },
  { of: 'crowded', figure: 'first row', most: 400 },
  { of: 'crowded', figure: 'next page', most: 120 },
  { of: 'crowded', figure: 'deep link to page 20', most: 450 },
  { of: 'crowded', figure: 'palette: first result', most: 150 },
  { of: 'crowded', figure: 'image picker: opened', most: 100 },
  { of: 'crowded', figure: 'image picker: a key', most: 30 },
  { of: 'crowded', figure: 'list of images: opened', most: 100 },
  { of: 'command-line', figure: 'purlin instance list', most: 250 },
  { of: 'updates', figure: 'upload, compared with writing and hashing', most: 2 },
  { of: 'updates', figure: 'growth of memory', most: 150 },
  { of: 'bundles', figure: 'growth of memory', most: 100 },
  { of: 'deliveries', figure: 'deliveries to 8 receivers', least: 500 },
  { of: 'monitoring', figure: '/metrics with 1000 instances: p50', most: 20 },
  { of: 'monitoring', figure: '/metrics with 1000 instances: size', most: 1000 },
  { of: 'hardware', figure: 'plan for 200 instances: p50', most: 100 },
  { of: 'hardware', figure: 'first row of sleds, compared with instances', most: 1.2 },
  { of: 'tasks', figure: 'delete: items', least: 200 },
  { of: 'tasks', figure: 'concurrent view: p99', most: 100 },
  { of: 'streams', figure: '1000 streams: memory', most: 150 },
  { of: 'streams', figure: '1000 streams: share of a core while idle', most: 5 },
  { of: 'streams', figure: 'a change reaches all', most: 1000 },
  { of: 'watched', figure: 'change by another user seen: p95', most: 1000 },
  { of: 'watched', figure: 'list left open for a minute: requests', most: 0 },
  { of: 'watched', figure: 'list left open for a minute: bytes', most: 0 },
  { of: 'import', figure: 'throughput', least: 150 },
  { of: 'import', figure: 'growth of memory', most: 200 },
  { of: 'timeseries-sqlite', figure: 'collect: share of a core', most: 50 },
  { of: 'timeseries-sqlite', figure: 'query 1000 x 1 h, as collected', most: 1000 },
  { of: 'timeseries-sqlite', figure: 'query 1000 x 1 h, merged', most: 1000 },
  { of: 'guests', figure: 'start, compared with QEMU alone', most: 1.5 },
  ...['write', 'read'].map((name) => ({
    of: 'guests',
    figure: `${name} of a disk, compared with a raw file`,
    least: 0.9,
  })),
  { of: 'networks', figure: 'model', most: 150 },
  { of: 'networks', figure: 'push of a changed rule to 16 sleds', most: 2000 },
  { of: 'networks', figure: 'push: CPU', most: 500 },
  { of: 'networks', figure: 'trace: p50', most: 20 },
  { of: 'networks', figure: 'replace 1024 rules: p50', most: 60 },
  { of: 'vpc-pages', figure: '1024 rules: growth of first rows', most: 1.2 },
  // tools/building/budgets.ts bounds the same files as gzip packs them; this is what a browser receives.
  { of: 'browser', figure: 'sign-in: JavaScript', most: 97 },
  { of: 'browser', figure: 'instances: JavaScript', most: 228 },
  { of: 'browser', figure: 'projects: time to the first row', most: 320 },
  { of: 'browser', figure: 'instances: time to the first row', most: 350 },
  { of: 'browser', figure: 'instances: first paint', most: 120 },
  { of: 'browser', figure: 'create instance: usable', most: 500 },
  { of: 'browser', figure: 'create instance: longest task', most: 60 },
  // A score that rounds to 0.00: a font that comes late moves texts by a pixel.
  ...['projects', 'instances', 'create instance'].map((name) => ({
    of: 'browser',
    figure: `${name}: layout shift`,
    most: 0.005,
  })),
  { of: 'chart', figure: '4 × 10 000 points: drawn', most: 50 },
  { of: 'navigation', figure: 'list to instance: first time', most: 100 },
  { of: 'navigation', figure: 'navigation: p50', most: 30 },
  { of: 'navigation', figure: 'navigation: p95', most: 80 },
  { of: 'navigation', figure: 'side modal to focused field', most: 60 },
  { of: 'navigation', figure: 'memory: growth over 210 navigations', most: 5 },
]

/** The limit of a figure, if any. */
export const budgetOf = (of: string, figure: string): Budget | undefined =>
  figure.endsWith(`: ${failures}`)
    ? { of, figure, most: 0 }
    : budgets.find((one) => one.of === of && one.figure === figure)

/** True if the value keeps within the budget. Not a number never does. */
export const holds = (value: number, { least = -Infinity, most = Infinity }: Budget): boolean =>
  value >= least && value <= most

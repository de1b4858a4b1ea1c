import { defineConfig } from 'vitest/config'

const frontDoor = 'packages/core/{resources,loops,network,timeseries}/**/*.test.ts'
// These say for themselves which databases they run on, or are about one process rather than a database.
const once = [
  'packages/core/db/!(pages).test.ts',
  'packages/core/network/agreement.test.ts',
  'packages/core/http/{fuzz,json,large-bodies,router}.test.ts',
  'packages/core/resources/hardware/leases/share*.test.ts',
]

/**
 * Time limits are long and two workers run at a time: tests share small machines with other work. A worker loads the
 * modules once for all its files, which halves the time: each test creates a separate world and changes no global.
 */
const limits = {
  pool: 'forks',
  maxWorkers: 2,
  isolate: false,
  // They end what hangs, and are no bound: on a busy machine some tests take minutes.
  testTimeout: 300_000,
  hookTimeout: 300_000,
  // On a busy machine results arrive later; the test is that they arrive.
  expect: { poll: { timeout: 50_000 } },
} as const

/** `npm run soak -- --whole` runs every case of every suite on every engine. */
const isWhole = process.env['PURLIN_WHOLE'] === '1'
const pages = 'packages/core/db/lists/pages.test.ts'
const core = [frontDoor, 'packages/core/{http,auth,events}/**/*.test.ts', pages]
const plainResources = 'packages/core/resources/kind/plain.test.ts'

/** The front-door tests once more, on another database. */
const onEngine = (engine: 'wasm' | 'postgres', include: string[]) => ({
  test: {
    ...limits,
    name: `core on ${engine}`,
    include,
    exclude: once,
    env: { PURLIN_TEST_ENGINE: engine },
  },
})

/** Attacks on the real server. The long ones are `npm run soak -- --attack`. */
const attacks = (name: string, order: number, { include, ...more }: Attacks) => ({
  test: {
    ...limits,
    name,
    include,
    sequence: { groupOrder: order },
    // They end what hangs, and are no bound: busy machines take minutes to start a dozen servers.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    ...more,
  },
})
interface Attacks {
  include: string[]
  maxWorkers?: number
  testTimeout?: number
  hookTimeout?: number
}

const machines = [
  'packages/qemu/**/*.test.ts',
  'packages/netns/kernel/*.test.ts',
  'apps/server/process/{guest,machines}.test.ts',
  'apps/server/host/{moving,real}-machines.test.ts',
]
const attackFiles = 'apps/server/attack'
const serversFiles = 'apps/server/servers'

export default defineConfig({
  test: {
    maxWorkers: 2,
    globalSetup: ['tools/testing/postgres-for-tests.ts'],
    projects: [
      {
        test: {
          ...limits,
          name: 'all on sqlite',
          include: [
            'packages/**/*.test.ts',
            'apps/**/*.test.{ts,tsx}',
            'tools/**/*.test.ts',
            'bench/**/*.test.ts',
          ],
          exclude: [`${attackFiles}/**`, `${serversFiles}/**`, ...machines],
        },
      },
      // It has the SQL of the other SQLite; the suites of engines and migrations, which it shares, run on all engines above.
      onEngine('wasm', isWhole ? core : [pages, plainResources]),
      onEngine('postgres', core),
      { test: { ...limits, name: 'machines', include: machines, sequence: { groupOrder: 3 } } },
      // They wait for leases and silence more than they work.
      attacks('servers', 4, {
        include: [`${serversFiles}/**/*.test.ts`],
        maxWorkers: 3,
        // Longer than what they wait for, so that a failure says what that was.
        testTimeout: 1_200_000,
        hookTimeout: 1_200_000,
      }),
      attacks('attack', 1, { include: [`${attackFiles}/**/*.test.ts`] }),
      attacks('attack at length', 2, {
        maxWorkers: 1,
        include: [`${attackFiles}/**/*.soak.ts`],
        testTimeout: 7_200_000,
      }),
    ],
  },
})

import { defineConfig } from 'vitest/config'

const frontDoor = 'packages/core/{resources,loops,timeseries}/**/*.test.ts'
// These say for themselves which databases they run on, or are about one process rather than a database.
const once = ['packages/core/db/**', 'packages/core/crash*.test.ts']

/**
 * Time limits are long and two workers run at a time: tests share small machines with other work. A worker loads
 * the modules once for all its files, which halves the time: each test makes a world of its own and changes no global.
 */
const limits = {
  pool: 'forks',
  maxWorkers: 2,
  isolate: false,
  testTimeout: 30_000,
  hookTimeout: 60_000,
} as const

/** The front-door tests once more, on another database. */
const onEngine = (engine: 'wasm' | 'postgres') => ({
  test: {
    ...limits,
    name: `core on ${engine}`,
    include: [frontDoor, 'packages/core/{conditions,dispatch,pages,replies,sessions,sweep}*.test.ts'],
    exclude: once,
    env: { PURLIN_TEST_ENGINE: engine },
  },
})

export default defineConfig({
  test: {
    maxWorkers: 2,
    globalSetup: ['tools/postgres-for-tests.ts'],
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
        },
      },
      onEngine('wasm'),
      onEngine('postgres'),
    ],
  },
})

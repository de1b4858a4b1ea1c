import { defineConfig } from 'vitest/config'

const frontDoor = 'packages/core/{resources,loops}/**/*.test.ts'
// These say for themselves which databases they run on, or are about one process rather than a database.
const once = ['packages/core/db/**', 'packages/core/crash*.test.ts']

/** Time limits are long and one worker runs at a time: tests share small machines with other work. */
const limits = {
  pool: 'forks',
  maxWorkers: 1,
  fileParallelism: false,
  testTimeout: 30_000,
  hookTimeout: 60_000,
} as const

/** The front-door tests once more, on another database. */
const onEngine = (engine: 'wasm' | 'postgres') => ({
  test: {
    ...limits,
    name: `core on ${engine}`,
    include: [frontDoor, 'packages/core/{dispatch,pages,replies,sessions,sweep}*.test.ts'],
    exclude: once,
    env: { PURLIN_TEST_ENGINE: engine },
  },
})

export default defineConfig({
  test: {
    maxWorkers: 1,
    fileParallelism: false,
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

import { defineConfig } from 'vitest/config'

/** Time limits are long and one worker runs at a time: tests share small machines with other work. */
export default defineConfig({
  test: {
    include: ['packages/**/*.test.ts', 'apps/**/*.test.ts', 'apps/**/*.test.tsx', 'tools/**/*.test.ts'],
    pool: 'forks',
    maxWorkers: 1,
    fileParallelism: false,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    globalSetup: ['tools/postgres-for-tests.ts'],
  },
})

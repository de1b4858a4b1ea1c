/** Servers under test: the real process, started as an operator would, on a separate database. */
import { serve, type ServerProcess } from '@purlin/server/testing/process'

/** Where a server keeps its data: a folder, or a PostgreSQL address. */
export type Place = { folder: string } | { databaseUrl: string; folder?: string }

/** Starts a server and waits until it answers. Without a place its database is a new one, which goes with it. */
export function startServer(place?: Place, flags: readonly string[] = []): Promise<ServerProcess> {
  return serve({
    ...place,
    args: ['--log-level', 'silent', ...flags],
    env: profiling(),
    showsLog: true,
    realPasswords: true,
  })
}

// PURLIN_BENCH_PROFILE=<folder> writes a CPU profile of every server there.
function profiling(): Record<string, string> {
  const folder = process.env['PURLIN_BENCH_PROFILE']
  return folder ? { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${folder}` } : {}
}

/** Collecting a support bundle with a log of 1 GiB, and downloading it: the time, and the server's memory. */
import { fileURLToPath } from 'node:url'
import { MiB } from '@purlin/contract/rules/limits'
import { serve, type ServerProcess } from '@purlin/server/testing/process'
import { signIn } from '@purlin/server/testing/requests'
import { median, type Figure, type Pace } from '#/figures.ts'

const largeLogs = fileURLToPath(new URL('large-logs.ts', import.meta.url))

/** `--quick` collects 64 MiB. */
export async function bundleCost({ rounds }: Pace): Promise<Figure[]> {
  const bytes = (rounds > 1 ? 1024 : 64) * MiB
  const seconds: number[] = []
  const growths: number[] = []
  for (let i = 0; i < Math.max(1, Math.min(rounds, 3)); i++) {
    // A new one, because the second bundle would find the memory of the first.
    const server = await serve({
      args: ['--log-level', 'silent'],
      env: { NODE_OPTIONS: `--import=${largeLogs}`, PURLIN_BENCH_LOG: String(bytes) },
      showsLog: true,
    })
    try {
      const { took, growth } = await collect(server, bytes)
      seconds.push(took)
      growths.push(growth / 1e6)
    } finally {
      await server.stop()
    }
  }
  return [
    { name: 'bundle of 1 GiB of logs', value: median(seconds) * 1000, unit: 'ms' },
    { name: 'growth of memory', value: median(growths), unit: 'MB' },
  ]
}

async function collect(server: ServerProcess, bytes: number): Promise<{ took: number; growth: number }> {
  const { api, cookie } = await signIn(server.url)
  const memory = () => server.memory()?.now ?? Number.NaN
  const before = memory()
  // The highest one of the process is that of its start, when passwords are hashed.
  let most = before
  const look = setInterval(() => (most = Math.max(most, memory())), 50)
  try {
    const began = performance.now()
    const { id } = await api.supportBundleCreate({ body: {} })
    const params = { bundleId: id }
    let { state } = await api.supportBundleView({ params })
    while (state === 'collecting') {
      await new Promise((resolve) => setTimeout(resolve, 100))
      state = (await api.supportBundleView({ params })).state
    }
    const took = (performance.now() - began) / 1000
    const file = encodeURIComponent('hosts/PRS26110001/log.txt')
    const path = `${server.url}/experimental/v1/system/support-bundles/${id}/download/${file}`
    const answer = await fetch(path, { headers: { cookie } })
    let length = 0
    for await (const piece of answer.body ?? []) length += piece.length
    if (state !== 'active' || length !== bytes)
      throw new Error(`bundle: ${state}, ${length} bytes of the log`)
    return { took, growth: most - before }
  } finally {
    clearInterval(look)
  }
}

/** The time of a command of the command line, from its start to its end, on a server with 100 instances on SQLite. */
import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { performance } from 'node:perf_hooks'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { newFolder } from '@purlin/server/testing/children'
import { signIn } from '@purlin/server/testing/requests'
import { median, type Figure, type Pace } from '../figures.ts'
import { project, seed } from '../seed.ts'
import { startServer } from './servers.ts'

const run = promisify(execFile)
const program = fileURLToPath(import.meta.resolve('@purlin/cli/purlin.js'))
const grantType = 'urn:ietf:params:oauth:grant-type:device_code'
const perRound = 10

export async function commandTimes({ rounds }: Pace): Promise<Figure[]> {
  const folder = newFolder()
  try {
    await seed({ folder: folder.path }, 100)
    const server = await startServer({ folder: folder.path })
    try {
      return await measure(server.url, rounds * perRound)
    } finally {
      await server.stop()
    }
  } finally {
    folder.remove()
  }
}

async function measure(url: string, count: number): Promise<Figure[]> {
  const env = { ...process.env, PURLIN_HOST: url, PURLIN_TOKEN: await tokenOf(url) }
  const timesOf = async (line: readonly string[]) => {
    const times: number[] = []
    for (let i = 0; i <= count; i++) {
      const began = performance.now()
      await run(process.execPath, [program, ...line], { env })
      // The first run fills the compile cache.
      if (i > 0) times.push(performance.now() - began)
    }
    return median(times)
  }
  return [
    {
      name: 'purlin instance list',
      value: await timesOf(['instance', 'list', '--project', project]),
      unit: 'ms',
    },
    {
      name: 'purlin instance create --help',
      value: await timesOf(['instance', 'create', '--help']),
      unit: 'ms',
    },
    { name: 'completion', value: await timesOf(['complete', 'instance', 'l']), unit: 'ms' },
  ]
}

/** An access token, by the device flow. */
async function tokenOf(url: string): Promise<string> {
  const { api } = await signIn(url)
  const clientId = randomUUID()
  const { deviceCode, userCode } = await api.deviceAuthRequest({ body: { clientId } })
  await api.deviceAuthConfirm({ body: { userCode } })
  return (await api.deviceAccessToken({ body: { grantType, deviceCode, clientId } })).accessToken
}

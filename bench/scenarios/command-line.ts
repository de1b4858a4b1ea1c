/**
 * The time of a command of the command line, from its start to its end, on a server with 100 instances on SQLite. It is
 * that of the package, as users install it; the sources need longer, because each of their files is found and read.
 */
import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { build } from '@purlin/cli/build'
import { newFolder } from '@purlin/server/testing/children'
import { signIn } from '@purlin/server/testing/requests'
import { median, type Figure, type Pace } from '../figures.ts'
import { project, seed } from '../seed.ts'
import { startServer } from './servers.ts'

const run = promisify(execFile)
const sources = fileURLToPath(import.meta.resolve('@purlin/cli/purlin.js'))
const grantType = 'urn:ietf:params:oauth:grant-type:device_code'
const perRound = 10

export async function commandTimes({ rounds }: Pace): Promise<Figure[]> {
  const folder = newFolder()
  try {
    await seed({ folder: folder.path }, 100)
    const server = await startServer({ folder: folder.path })
    try {
      const program = await install(join(folder.path, 'purlin'))
      return await measure({ url: server.url, program, count: rounds * perRound })
    } finally {
      await server.stop()
    }
  } finally {
    folder.remove()
  }
}

/** Makes the files of the package. Returns its program. */
async function install(folder: string): Promise<string> {
  mkdirSync(folder)
  await build(join(folder, 'dist'))
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  const program = join(folder, 'purlin.js')
  copyFileSync(sources, program)
  return program
}

interface Measured {
  url: string
  program: string
  /** Runs of each command. */
  count: number
}

async function measure({ url, program, count }: Measured): Promise<Figure[]> {
  const env = { ...process.env, PURLIN_HOST: url, PURLIN_TOKEN: await tokenOf(url) }
  const timeOf = async (words: readonly string[]) => {
    const began = performance.now()
    await run(process.execPath, [...words], { env })
    return performance.now() - began
  }
  const timesOf = async (line: readonly string[]) => {
    const times: number[] = []
    for (let i = 0; i <= count; i++) {
      const time = await timeOf([program, ...line])
      // The first run fills the compile cache.
      if (i > 0) times.push(time)
    }
    return median(times)
  }
  const list = ['instance', 'list', '--project', project]
  const ratios: number[] = []
  // In turns, because the machine may be busy.
  for (let i = 0; i < count; i++)
    ratios.push((await timeOf([program, ...list])) / (await timeOf(['-e', '0'])))
  return [
    { name: 'purlin instance list', value: await timesOf(list), unit: 'ms' },
    { name: 'purlin instance list, compared with node -e 0', value: median(ratios), unit: '×' },
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

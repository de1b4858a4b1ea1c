/** Starts what the journeys run against: a real server with the demo world, or the preview's files. */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { removeNetworks } from '@purlin/netns/testing/remove-networks'
import { endMachines } from '@purlin/qemu/testing/machines'

/** A server with an address, which runs until it is stopped. */
export interface Site {
  origin: string
  /** The processes of several servers behind one address. */
  servers: number[]
  stop(): Promise<void>
}

const root = join(import.meta.dirname, '../..')

const demo = ['--demo']
/** The settings of a server that has an administrator and nothing else. */
export const emptyWorld = (admin: { silo: string; user: string; password: string }): string[] => [
  '--admin-silo',
  admin.silo,
  '--admin-user',
  admin.user,
  '--admin-password',
  admin.password,
]

/** The setting of a server whose machines are real, and emulated where KVM cannot be used. */
export const withQemu = ['--machines', 'qemu']

// Identity providers and images of journeys are on this machine.
const reach = ['--webhooks-allow', '127.0.0.0/8', '--images-allow', '127.0.0.0/8']

/**
 * A server with a separate empty data directory, filled with the demo world unless its settings say otherwise; `flags`
 * are for Node. Its machines are simulated unless the settings ask for others.
 */
export async function startServer(flags: string[] = [], settings: string[] = demo): Promise<Site> {
  const data = await mkdtemp(join(tmpdir(), 'purlin-e2e-'))
  const machines = ['--machines', 'simulated']
  const args = [...machines, ...settings, '--port', '0', '--data-dir', data, '--log-level', 'error', ...reach]
  const site = await start(
    [
      '--import',
      './apps/server/testing/swift-passwords.ts',
      ...flags,
      'apps/server/process/main.ts',
      ...args,
    ],
    /is ready at (\S+)/,
  )
  const stop = async () => {
    await site.stop()
    // They outlive the server.
    await endMachines(join(data, 'qemu'))
    await removeNetworks(data)
    await rm(data, { recursive: true, force: true })
  }
  return { ...site, stop }
}

/** Two servers behind a proxy that sends each request to the other one, with PostgreSQL and two hosts. */
export function startCluster(settings: string[] = demo): Promise<Site> {
  const args = ['--port', '0', '--log-level', 'error', ...reach, ...settings]
  return start(
    ['tools/cluster.ts', ...args],
    /is ready at (\S+),[^]* process (\d+)\n[^]* process (\d+)\n[^]*Freeze/,
  )
}

/** The preview console's files; the control plane runs in the page. */
export async function startPreview(): Promise<Site> {
  const port = String(await freePort())
  return start(['tools/preview.ts', '--port', port], /preview on (\S+?)\/?$/m)
}

/** Runs a program of this repository until it says where it is, and which processes its servers are if there are several. */
async function start(command: string[], ready: RegExp): Promise<Site> {
  const child = spawn(process.execPath, command, { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(child, 'exit')
  const [, origin = '', ...servers] = await Promise.race([
    said(child, ready),
    ended.then(([code]) => {
      throw new Error(`${command.join(' ')} ended with ${code} before it was ready`)
    }),
  ])
  const stop = async () => {
    child.kill('SIGTERM')
    await ended
  }
  return { origin, servers: servers.map(Number), stop }
}

function said(child: ChildProcess, pattern: RegExp): Promise<RegExpExecArray> {
  let output = ''
  return new Promise((resolve) => {
    child.stdout?.on('data', (chunk: Buffer) => {
      output += chunk.toString()
      const found = pattern.exec(output)
      if (found) resolve(found)
    })
  })
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

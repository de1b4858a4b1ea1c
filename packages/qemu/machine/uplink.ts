/**
 * The way out of a box that has a separate network: slirp4netns, which needs no rights. What is in the box reaches the
 * outside, and neither the loopback address of the host nor its other addresses.
 */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readlink, rm, writeFile } from 'node:fs/promises'
import { networkInterfaces, tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { messageOf } from '@purlin/databases/error-codes'
import type { BoxContents } from './box.ts'
import { findProcess, killProcess, startProcess } from './process.ts'

export const uplinkProgram = 'slirp4netns'
/** No guest has an argument like this one, so that it finds the process. */
const mark = '--disable-host-loopback'
/** For benchmarks (RFC 2544): no host has an address in it. */
const network = '198.18.87.0/24'
const resolver = '198.18.87.3'
/** Addresses of links: services of clouds for their machines have them. */
const ofLinks = '169.254.0.0/16'
const device = 'out0'

/** The file in the folder of a machine that names the resolver of its box. */
const resolverFile = (folder: string) => join(folder, 'resolv.conf')

/** Makes the file for the resolver of a box, and returns it with the path that it has inside. */
export async function prepareUplink(folder: string): Promise<BoxContents['moved'][number]> {
  await writeFile(resolverFile(folder), `nameserver ${resolver}\n`, { mode: 0o600 })
  return ['/etc/resolv.conf', resolverFile(folder), 'read']
}

/** Leads a process in a box to the outside. Does nothing for one that has the network of the host, or an uplink already. */
export async function openUplink(pid: number, folder: string): Promise<void> {
  const of = (who: string) => readlink(`/proc/${who}/ns/net`)
  if ((await of(String(pid))) === (await of('self'))) return
  if (await findProcess(mark, folder)) return
  await closeHost(pid)
  const args = ['--configure', mark, '--enable-seccomp', `--cidr=${network}`, '--mtu=1500', '--ready-fd=3']
  const child = spawn(uplinkProgram, [...args, String(pid), device], {
    cwd: folder,
    detached: true,
    env: { PATH: process.env['PATH'] ?? '' },
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  })
  await once(child, 'spawn')
  child.unref()
  const ready = child.stdio[3] as Readable
  const isReady = await Promise.race([
    once(ready, 'data').then(() => true),
    once(child, 'exit').then(() => false),
  ])
  ready.destroy()
  if (!isReady) throw new Error(`${uplinkProgram} has ended`)
}

/** Ends the uplink of a machine. */
export async function closeUplink(folder: string): Promise<void> {
  const uplink = await findProcess(mark, folder)
  if (uplink) await killProcess(uplink)
}

const enters = ['--user', '--net', '--preserve-credentials', 'ip', '-batch', '-']

/** The arguments of nsenter for what sets routes of the box of a process, as lines of input. */
export const setsRoutes = (pid: number): string[] => ['--target', String(pid), ...enters]

/** The box has no route to the addresses of the host. */
async function closeHost(pid: number): Promise<void> {
  const own = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? [])
  const closed = own.flatMap(({ family, internal, address }) =>
    family === 'IPv4' && !internal ? [address] : [],
  )
  const child = spawn('nsenter', setsRoutes(pid), { stdio: ['pipe', 'ignore', 'ignore'] })
  const ended = once(child, 'exit')
  child.stdin.on('error', () => undefined)
  child.stdin.end(
    [...new Set([ofLinks, ...closed])].map((one) => `route replace blackhole ${one}\n`).join(''),
  )
  const [code] = (await ended) as [number | null]
  if (code !== 0) throw new Error('the routes of a box cannot be set')
}

/** Why boxes have no uplink on this host, for operators; undefined if they can have one. */
export async function whyNoUplink(): Promise<string | undefined> {
  for (const program of [uplinkProgram, 'nsenter', 'ip'])
    if (spawnSync(program, ['-V']).error) return `${program} is missing. Install slirp4netns.`
  const folder = await mkdtemp(join(tmpdir(), 'purlin-uplink-'))
  try {
    const box = { read: [folder], written: [], moved: [], network: 'own' as const }
    const trial = await startProcess({ program: 'sleep', args: ['60'], folder, box })
    if (!trial) return 'a box ends at once'
    try {
      await openUplink(trial.pid, folder)
    } finally {
      await closeUplink(folder)
      await killProcess(trial)
    }
    return undefined
  } catch (error) {
    return messageOf(error)
  } finally {
    await rm(folder, { recursive: true })
  }
}

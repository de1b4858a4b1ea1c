/** Finds or makes the networks of a server on this host. */
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chmod, mkdir, readFile, realpath, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { parseIp } from '@purlin/contract/rules/network/ip'
import { takeLock } from '@purlin/databases/files/lock'
import { KernelNetworks } from '../kernel/networks.ts'
import { missingProgram, networkPackages } from '../kernel/programs.ts'
import { answersAt, networksAt } from './client.ts'
import type { HostNetworks } from './networks.ts'

/** The part of a data folder in root's file system: its devices and namespaces are named by `scope`. */
export interface Place {
  scope: string
  socket: string
  state: string
}

export async function placeOf(dataDir: string): Promise<Place> {
  const scope = createHash('sha256')
    .update(await realpath(dataDir))
    .digest('hex')
    .slice(0, 8)
  return { scope, socket: `/run/purlin/${scope}.sock`, state: `/run/purlin/${scope}` }
}

/** The addresses of a host that its operator has named. */
export interface Named {
  /** The blocks of external addresses that the host leads to guests. */
  external: readonly string[]
  /** The IP address at which it takes packets of VPCs from other hosts; it takes none without one. */
  tunnelAddress?: string | undefined
}

interface Opening extends Named {
  place: Place
  /** The user whose machines have the guests. */
  owner: number
  /** Blocks beyond the host that guests reach although they are private or the host's own. */
  reach: readonly string[]
}

/** Opens the networks of the kernel. Throws without the rights and programs for them. */
export async function openKernel({ place, ...rest }: Opening): Promise<KernelNetworks> {
  const missing = await missingProgram()
  if (missing !== undefined) throw new Error(`${missing} is missing: install ${networkPackages.join(', ')}`)
  const { scope, state, socket } = place
  // Its folder is open for the owner of the socket, who is not root.
  await mkdir(dirname(socket), { recursive: true })
  await chmod(dirname(socket), 0o755)
  // No other user can open the lock, and hold it.
  const lock = `${state}.lock`
  await mkdir(lock, { recursive: true, mode: 0o700 })
  holdAlone(join(lock, 'alone'))
  return KernelNetworks.open({ scope, folder: state, resolvers: await resolversOf(), ...rest })
}

/** Two processes would change the same namespaces. Throws if another one has the file; this one has it until it ends. */
export function holdAlone(path: string): DatabaseSync {
  const held = takeLock(path, () => new Error('another process makes the networks of this data folder'))
  holding.add(held)
  return held
}
/** A lock that nothing refers to would be given back. */
const holding = new Set<DatabaseSync>()

export interface FoundNetworks {
  /** Undefined on a host that never had any. */
  networks: HostNetworks | undefined
  /** Why they are not there now. */
  problem?: string
  /** True if they lead no external address to guests, because no block is named. */
  leadsNone?: boolean
}

/** In a data folder: its guests had networks, and start with no others. */
export const markOfNetworks = 'networks-enforced'

/**
 * The networks of the helper of a data folder, or of this process if it is root. A host that had them before does not go
 * without: its guests and changes wait for the helper. What is `named` is for this process, if there is no helper.
 */
export async function findNetworks(dataDir: string, named: Named): Promise<FoundNetworks> {
  if (process.platform !== 'linux') return { networks: undefined, problem: 'networks need Linux' }
  const place = await placeOf(dataDir)
  const mark = join(dataDir, markOfNetworks)
  const found = await openNetworks(place, named)
  if (typeof found !== 'string') {
    await writeFile(mark, '')
    const leadsNone = found instanceof KernelNetworks && named.external.length === 0
    return { networks: found, ...(leadsNone ? { leadsNone } : {}) }
  }
  // The helper has made its folder since the host was started, and its guests may still run.
  const had = existsSync(mark) || existsSync(place.state)
  return { networks: had ? networksAt(place.socket) : undefined, problem: found }
}

async function openNetworks(place: Place, named: Named): Promise<HostNetworks | string> {
  if (await answersAt(place.socket)) return networksAt(place.socket)
  const user = process.getuid?.() ?? -1
  if (user !== 0) return 'the network helper does not run'
  return openKernel({ place, owner: user, reach: [], ...named }).catch((error: unknown) =>
    error instanceof Error ? error.message : String(error),
  )
}

/** The DNS servers of this host that guests can ask. Where systemd-resolved listens for the host alone, those that it asks. */
async function resolversOf(): Promise<string[]> {
  const own = await resolversIn('/etc/resolv.conf')
  return own.length > 0 ? own : resolversIn('/run/systemd/resolve/resolv.conf')
}

async function resolversIn(path: string): Promise<string[]> {
  const text = await readFile(path, 'utf8').catch(() => '')
  const all = [...text.matchAll(/^nameserver\s+(\S+)/gm)].map(([, address = '']) => address)
  return all.filter((one) => parseIp(one) !== undefined && !/^(?:127\.|::1$|fe80:)/i.test(one))
}

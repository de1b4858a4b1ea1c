/** Sends packets through namespaces: Node has no raw sockets, so Python does. */
import { spawn, spawnSync } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { Packet } from '@purlin/core/ports'
import { networkPackages } from '../kernel/programs.ts'

/** A device that packets are sent from and arrive at. `next` is the MAC address that they are sent to. */
export interface Place {
  name: string
  namespace: string
  device: string
  next: string
}

export type Sent = Packet & {
  /** No other packet of the process has it. */
  n: number
  /** The name of the place that sends it. */
  from: string
  /** of a protocol without ports */
  number: number
  /** The port of its source, if it matters. */
  port?: number
  /** The MAC address of its source, if that is not the device's. */
  mac?: string
}

/** An answer of ARP that says that a device has an address. */
interface Claim {
  from: string
  ip: string
  /** The address of the receiver. */
  to: string
}
/** By number, the place where a packet has arrived, and its source there. */
export type Arrivals = Record<number, [place: string, source: string]>

export interface PacketSender {
  use(places: readonly Place[]): Promise<void>
  /** `expected` are the numbers of packets that it waits for. */
  send(packets: readonly Sent[], expected: readonly number[]): Promise<Arrivals>
  claim(claim: Claim): Promise<void>
  close(): void
}

/** The Debian packages that bring the programs of these tests. */
export const testPackages = [...networkPackages, 'python3'] as const
const programs = [
  ['nft', '--version'],
  ['dnsmasq', '--version'],
  ['conntrack', '--version'],
  ['python3', '--version'],
] as const

/** The name of nft; undefined where one of the programs is not installed. */
export const findNft = (): string | undefined =>
  programs.some(([program, option]) => spawnSync(program, [option]).status !== 0) ? undefined : 'nft'

/** Why tests with the kernel are skipped; false if they are not. */
export function whyNoNetworks(): string | false {
  if (process.platform !== 'linux' || process.getuid?.() !== 0)
    return 'networks of the kernel need root on Linux'
  if (findNft() === undefined) return `install ${testPackages.join(', ')}`
  const probe = `purlin-try-${process.pid}`
  const tried = spawnSync('ip', ['netns', 'add', probe]).status === 0
  spawnSync('ip', ['netns', 'del', probe])
  return !tried && 'this process may not make namespaces'
}

export function openSender(): PacketSender {
  const script = fileURLToPath(new URL('packets.py', import.meta.url))
  const python = spawn('python3', ['-u', script], { stdio: ['pipe', 'pipe', 'inherit'] })
  const lines = createInterface(python.stdout)[Symbol.asyncIterator]()
  const ask = async (request: unknown): Promise<unknown> => {
    python.stdin.write(`${JSON.stringify(request)}\n`)
    const { value, done } = await lines.next()
    if (done === true) throw new Error('the sender of packets has ended')
    return JSON.parse(value)
  }
  let order: string[] = []
  return {
    async use(places) {
      order = places.map(({ name }) => name)
      await ask({ places })
    },
    send: async (packets, expected) => (await ask({ packets, expected, order })) as Arrivals,
    claim: async (claim) => void (await ask({ claim })),
    close: () => void python.kill(),
  }
}

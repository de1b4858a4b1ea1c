/** Sends packets through namespaces: Node has no raw sockets, so Python does. */
import { spawn, spawnSync } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { Packet } from '@purlin/core/ports'

/** A device that packets are sent from and arrive at. `next` is the MAC address that they are sent to. */
export interface Place {
  name: string
  namespace: string
  device: string
  next: string
}

/**
 * A packet with its number, which no other of the process has, and the name of the place that sends it. `number` is that of a
 * protocol without ports.
 */
export type Sent = Packet & { n: number; from: string; number: number }
/** By number, the place where a packet has arrived, and its source there. */
export type Arrivals = Record<number, [place: string, source: string]>

export interface PacketSender {
  use(places: readonly Place[]): Promise<void>
  /** `expected` are the numbers of packets that it waits for. */
  send(packets: readonly Sent[], expected: readonly number[]): Promise<Arrivals>
  close(): void
}

/** The Debian packages that bring the programs of these tests. */
export const networkPackages = [
  'nftables',
  'iproute2',
  'dnsmasq-base',
  'conntrack',
  'procps',
  'python3',
] as const
const programs = [
  ['nft', '--version'],
  ['ip', '-V'],
  ['dnsmasq', '--version'],
  ['conntrack', '--version'],
  ['sysctl', '--version'],
  ['python3', '--version'],
] as const

/** The name of nft; undefined where one of the programs is not installed. */
export const findNft = (): string | undefined =>
  programs.some(([program, option]) => spawnSync(program, [option]).status !== 0) ? undefined : 'nft'

/** Why tests with the kernel are skipped; false if they are not. */
export function whyNoNetworks(): string | false {
  if (process.platform !== 'linux' || process.getuid?.() !== 0)
    return 'networks of the kernel need root on Linux'
  if (findNft() === undefined) return `install ${networkPackages.join(', ')}`
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
    close: () => void python.kill(),
  }
}

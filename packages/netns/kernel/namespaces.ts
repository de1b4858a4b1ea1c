/** Namespaces of the kernel that forward packets. */
import { readdir, readFile } from 'node:fs/promises'
import { limitsNftOf, type Limit } from '../compile/limits.ts'
import { applyNft, inside, ip, ipBatch, run, type Namespace } from './commands.ts'

/** The MAC addresses of the two ends between a VPC and the way out. */
export const linkMacs = { outer: '02:70:75:00:00:01', inner: '02:70:75:00:00:02' } as const

const settings = [
  'net.ipv4.ip_forward=1',
  'net.ipv6.conf.all.forwarding=1',
  ...['all', 'default'].flatMap((which) => [
    `net.ipv4.conf.${which}.rp_filter=0`,
    `net.ipv4.conf.${which}.send_redirects=0`,
    `net.ipv4.conf.${which}.accept_redirects=0`,
    `net.ipv6.conf.${which}.accept_ra=0`,
    `net.ipv6.conf.${which}.accept_dad=0`,
  ]),
  // A connection without an answer soon gives back its place, as anyone may open it, also to a port that is closed.
  'net.netfilter.nf_conntrack_tcp_timeout_syn_sent=10',
  'net.netfilter.nf_conntrack_tcp_timeout_syn_recv=10',
  'net.netfilter.nf_conntrack_udp_timeout=10',
  'net.netfilter.nf_conntrack_tcp_timeout_established=7200',
  // One does not begin in its middle: it would count as established. One that was ended does not begin in the other direction.
  'net.netfilter.nf_conntrack_tcp_loose=0',
]
/** A guest asks for the addresses of its subnet, and its router answers for them. */
const forGuests = ['net.ipv4.conf.default.proxy_arp=1']

/** The names of all namespaces of the host. */
export const namespaces = async (): Promise<string[]> => readdir('/run/netns').catch(() => [])

/** The alias of the loopback device in a namespace of which each step of its making was done. */
const whole = 'purlin 5'

interface Making {
  /** It is between guests, or outside. */
  hasGuests: boolean
  limits: readonly Limit[]
  /** The further steps. They are repeated if one has failed or was interrupted. */
  furnish: () => Promise<void>
}

/** Makes a namespace that forwards packets, unless it is there and whole. */
export async function makeNamespace(name: string, { hasGuests, limits, furnish }: Making): Promise<void> {
  const isThere = (await namespaces()).includes(name)
  if (isThere && (await isWhole(name))) return
  if (!isThere) await run('ip', ['netns', 'add', name])
  await inside(name, ['sysctl', '-qw', ...settings, ...(hasGuests ? forGuests : [])])
  await ip(name, 'link', 'set', 'lo', 'up')
  await applyNft(name, limitsNftOf(limits, await roomForConnections()))
  await furnish()
  await ip(name, 'link', 'set', 'lo', 'alias', whole)
}

async function isWhole(name: string): Promise<boolean> {
  const [loopback] = JSON.parse(await ip(name, '-j', 'link', 'show', 'lo')) as { ifalias?: string }[]
  return loopback?.ifalias === whole
}

/** How many connections the kernel keeps in each namespace. */
const roomForConnections = async (): Promise<number> =>
  Number(await readFile('/proc/sys/net/netfilter/nf_conntrack_max', 'utf8'))

export async function removeNamespace(name: string): Promise<void> {
  if ((await namespaces()).includes(name)) await run('ip', ['netns', 'del', name])
}

interface Link {
  from: { namespace: string; device: string }
  to: { namespace: Namespace; device: string }
}

/** Connects two namespaces by a pair of devices. Fails if one of them exists. */
export async function makeLink({ from, to }: Link): Promise<void> {
  const peer = ['netns', to.namespace ?? String(process.pid)]
  const ends = [
    'address',
    linkMacs.inner,
    'type',
    'veth',
    'peer',
    'name',
    to.device,
    'address',
    linkMacs.outer,
  ]
  await ip(from.namespace, 'link', 'add', from.device, ...ends, ...peer)
  await ip(from.namespace, 'link', 'set', from.device, 'up')
  await ip(to.namespace, 'link', 'set', to.device, 'up')
}

/** A neighbour that is never asked for. */
export const neighbour = (address: string, mac: string, device: string): string =>
  `neigh replace ${address} lladdr ${mac} dev ${device} nud permanent`

/** Replaces the routes and rules that were made here. */
export async function replaceRouting(
  namespace: string,
  protocol: number,
  routing: Readonly<Record<4 | 6, readonly string[]>>,
): Promise<void> {
  for (const family of [4, 6] as const) {
    const flush = [`route flush table all proto ${protocol}`, `rule flush protocol ${protocol}`]
    // Both fail if there are none.
    await ipBatch(namespace, flush, { family, mayFail: true })
    await ipBatch(namespace, routing[family], { family })
  }
}

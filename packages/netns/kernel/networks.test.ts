import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SledNetwork } from '@purlin/core/ports'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { lacks } from '@purlin/sleds/testing/skips'
import { edgeLimits, limitsNftOf } from '../compile/limits.ts'
import { routingOf } from '../compile/routing.ts'
import { devices, routerMac } from '../compile/texts.ts'
import { openSender, whyNoNetworks, type PacketSender, type Sent } from '../testing/packets.ts'
import { blue, echo, external, networkOf, red, rule } from '../testing/two-vpcs.ts'
import { applyNft, devicesIn, inside, ip, run } from './commands.ts'
import { Edge } from './edge.ts'
import { linkMacs, namespaces } from './namespaces.ts'
import { KernelNetworks } from './networks.ts'

const outside = `purlin-outer-${process.pid}`
const scope = `n${process.pid}`.slice(0, 8)
/** Of the host, on another device than the one towards guests. */
const management = '192.0.2.1'
/** A block that the host is in, and others beyond it. */
const own = '198.51.100.0/24'
const ofOwn = '198.51.100.9'
const lan = '10.77.0.0/24'
const ofLan = '10.77.0.9'
const resolver = '10.77.0.53'

const why = whyNoNetworks()
let folder: string
let kernel: KernelNetworks
let sender: PacketSender
let count = 0

const open = (reach: string[] = []) => {
  const rest = { owner: 0, resolvers: [resolver], external: null, reach, outside }
  return KernelNetworks.open({ scope, folder, ...rest })
}
const zone = (name: string) => `purlin-${scope}-${devices.nic(name)}`
const place = (name: string) => ({ name, namespace: zone(name), device: 'eth0', next: routerMac })
const host = { name: 'host', namespace: outside, device: `pl-${scope}`, next: linkMacs.inner }
const a = 'a of blue'
const b = 'b of blue'

/** Sends a packet to each of many ports of an address. */
const floodScript = `
import socket, sys
sender = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
for port in range(1, int(sys.argv[2])):
  sender.sendto(b'', (sys.argv[1], port))
`
const flood = (namespace: string, address = '9.9.9.9', ports = 4_600) =>
  inside(namespace, ['python3', '-c', floodScript, address, String(ports)])
const used = async (namespace: string) => Number(await inside(namespace, ['conntrack', '-C']))
/** Connections stay until the test ends them. */
const keepAll = (namespace: string) =>
  inside(namespace, ['sysctl', '-qw', 'net.netfilter.nf_conntrack_udp_timeout=3600'])

/** Asks the router for an address, with a MAC address in the question. */
const question = `
import socket, sys
sender = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
sender.bind(('', 68))
sender.sendto(bytes([1, 1, 6, 0]) + bytes(24) + bytes.fromhex(sys.argv[1]) + bytes(202), ('10.0.0.1', 67))
`

/** Where a packet arrives that is sent from a place, and with which source. */
async function goes(
  one: Partial<Sent> & Pick<Sent, 'from' | 'source' | 'destination'>,
  isExpected = true,
): Promise<string | null> {
  const n = ++count
  const ping = { type: 'icmp' as const, icmpType: 8, code: 0 }
  const got = await sender.send([{ protocol: ping, number: 0, n, ...one }], isExpected ? [n] : [])
  return got[n]?.join(' ') ?? null
}

describe.skipIf(lacks(why))('networks in the kernel', () => {
  beforeAll(async () => {
    await run('ip', ['netns', 'add', outside])
    await ip(outside, 'link', 'set', 'lo', 'up')
    await ip(outside, 'addr', 'add', management, 'dev', 'lo')
    await ip(outside, 'addr', 'add', own.replace('.0/', '.1/'), 'dev', 'lo')
    sender = openSender()
    folder = mkdtempSync(join(tmpdir(), 'purlin-networks-'))
    kernel = await open()
  })
  afterEach(() => kernel.clear())
  afterAll(async () => {
    sender.close()
    await run('ip', ['netns', 'del', outside])
    rmSync(folder, { recursive: true, force: true })
  })

  it('two VPCs with the same addresses are apart, and each has its external address', async () => {
    await kernel.set(networkOf(blue, 1))
    await kernel.set(networkOf(red, 1, []))
    await sender.use([host, place(a)])
    // The answers of the probes.
    expect(await goes({ from: a, source: '10.0.0.5', destination: '10.0.0.6' })).toBe(`${a} 10.0.0.6`)
    await sender.use([host])
    const fromHost = { from: 'host', source: management }
    expect(await goes({ ...fromHost, destination: external.blue })).toBe(`host ${external.blue}`)
    expect(await goes({ ...fromHost, destination: external.red }, false)).toBeNull()
    await kernel.set(networkOf(red, 2))
    expect(await goes({ ...fromHost, destination: external.red })).toBe(`host ${external.red}`)
    // By the other VPC and the way out.
    await sender.use([place(a)])
    expect(await goes({ from: a, source: '10.0.0.5', destination: external.red })).toBe(
      `${a} ${external.red}`,
    )
  })

  it('no guest reaches an address of the host, or sends from addresses that it does not have', async () => {
    await kernel.set(networkOf(blue, 1, [rule({})]))
    await sender.use([place(a), place(b)])
    const link = JSON.parse(await ip(outside, '-j', 'addr', 'show', host.device)) as {
      addr_info: { local: string; family: string }[]
    }[]
    const own = link[0]?.addr_info.find(({ family }) => family === 'inet')?.local ?? ''
    expect(own).toMatch(/^169\.254\./)
    const of = { from: a, source: '10.0.0.5' }
    for (const destination of [management, own, '10.0.0.1', '127.0.0.1'])
      expect(await goes({ ...of, destination }, false)).toBeNull()
    expect(await goes({ ...of, destination: '10.0.0.6', mac: 'a8:40:25:f0:00:02' }, false)).toBeNull()
    expect(await goes({ ...of, destination: '10.0.0.6', source: '10.0.0.9' }, false)).toBeNull()
    await sender.claim({ from: b, ip: '10.0.0.5', to: '10.0.0.1' })
    expect(await ip(`purlin-${scope}-${blue}`, 'neigh', 'show', '10.0.0.5')).toContain('a8:40:25:f0:00:01')
  })

  it('guests reach no private block or block of the host that is not named, and answer all', async () => {
    await kernel.set(networkOf(blue, 1))
    await kernel.set(networkOf(red, 1))
    await sender.use([host, place(a)])
    const of = { from: a, source: '10.0.0.5' }
    const arrives = `host ${external.blue}`
    for (const destination of [ofOwn, ofLan, resolver])
      expect(await goes({ ...of, destination }, false)).toBeNull()
    expect(await goes({ ...of, destination: '9.9.9.9' })).toBe(arrives)
    const question = { destination: resolver, protocol: { type: 'udp' as const, port: 53 } }
    expect(await goes({ ...of, ...question })).toBe(arrives)
    await sender.use([host])
    for (const [vpc, source] of [
      [blue, ofLan],
      [red, ofOwn],
    ] as const)
      expect(await goes({ from: 'host', source, destination: external[vpc] })).toBe(`host ${external[vpc]}`)
    // The host gets another address while networks are in force.
    const later = '192.0.2.129'
    await sender.use([host, place(a)])
    expect(await goes({ ...of, destination: later })).toBe(arrives)
    await ip(outside, 'addr', 'add', '192.0.2.130/26', 'dev', 'lo')
    await kernel.held()
    expect(await goes({ ...of, destination: later }, false)).toBeNull()
    kernel = await open([lan, ofOwn])
    for (const destination of [ofOwn, ofLan]) expect(await goes({ ...of, destination })).toBe(arrives)
    await ip(outside, 'addr', 'del', '192.0.2.130/26', 'dev', 'lo')
  })

  it('the host is protected again after its own rules were flushed', async () => {
    const flushed = async (then: () => Promise<unknown>) => {
      await inside(outside, ['nft', 'flush', 'ruleset'])
      await then()
      return inside(outside, ['nft', 'list', 'ruleset'])
    }
    await kernel.set(networkOf(blue, 1))
    const rules = `iifname "${host.device}" drop`
    expect(await flushed(() => kernel.set(networkOf(blue, 1)))).toContain(rules)
    expect(await flushed(() => kernel.set(networkOf(blue, 2)))).toContain(rules)
    expect(await flushed(() => kernel.held())).toContain(rules)
    expect(await flushed(() => kernel.prepare(['guest']))).toContain(rules)
    await kernel.release(['guest'])
    expect(await flushed(async () => (kernel = await open()))).toContain(rules)
  })

  it('a change of rules is for connections that exist as well, and answers pass', async () => {
    const udp = (action: 'allow' | 'deny') => rule({ action, protocols: [{ type: 'udp', ports: null }] })
    await kernel.set(networkOf(blue, 1, [udp('allow')]))
    await keepAll(`purlin-${scope}-${blue}`)
    for (const name of [a, b]) await ip(zone(name), 'addr', 'flush', 'dev', 'eth0')
    await sender.use([place(a), place(b)])
    const there = {
      from: a,
      source: '10.0.0.5',
      destination: '10.0.0.6',
      protocol: { type: 'udp' as const, port: 53 },
      port: 4_000,
    }
    const back = { ...there, from: b, source: '10.0.0.6', destination: '10.0.0.5', port: 53 }
    const answer = { ...back, protocol: { type: 'udp' as const, port: 4_000 } }
    expect(await goes(there)).toBe(`${b} 10.0.0.5`)
    await kernel.set(networkOf(blue, 2, [udp('deny')]))
    expect(await goes(there, false)).toBeNull()
    await kernel.set(networkOf(blue, 3, [udp('allow')]))
    expect(await goes(there)).toBe(`${b} 10.0.0.5`)
    expect(await goes(answer)).toBe(`${a} 10.0.0.6`)
    // The other direction only, as an answer.
    await kernel.set(
      networkOf(blue, 4, [
        rule({ action: 'deny', hosts: { inside: false, nets: ['10.0.0.6/32'] } }),
        udp('allow'),
      ]),
    )
    expect(await goes(answer)).toBe(`${a} 10.0.0.6`)
    expect(await goes({ ...back, port: 9 }, false)).toBeNull()
  })

  it('another version replaces everything, also an older one, and the same does nothing', async () => {
    const ping = { from: a, source: '10.0.0.5', destination: '10.0.0.6' }
    const arrives = async (isExpected: boolean) => {
      for (const name of [a, b]) await ip(zone(name), 'addr', 'flush', 'dev', 'eth0')
      await sender.use([place(a), place(b)])
      expect(await goes(ping, isExpected)).toBe(isExpected ? `${b} 10.0.0.5` : null)
    }
    await kernel.set(networkOf(blue, 5))
    await kernel.set(networkOf(blue, 5, []))
    await arrives(true)
    for (const version of [6, 4]) {
      await kernel.set(networkOf(blue, version, []))
      expect(await kernel.held()).toEqual([{ vpcId: blue, version }])
      await arrives(false)
      await kernel.set(networkOf(blue, 5))
      await arrives(true)
    }
    const all = networkOf(blue, 7)
    const without = all.interfaces.filter(({ id }) => id !== b)
    await kernel.set({ ...all, interfaces: without })
    await kernel.set(all)
    expect(await namespaces()).not.toContain(zone(b))
    await kernel.set(networkOf(blue, 3))
    await arrives(true)
    await kernel.set({ ...all, interfaces: [] })
    expect(await kernel.held()).toEqual([])
    // As after a loss of power.
    await kernel.set(networkOf(blue, 5))
    await kernel.clear()
    expect(await kernel.held()).toEqual([])
    await kernel.set(networkOf(blue, 5))
    await arrives(true)
  })

  it('a connection ends with its rule, its external address and its guest', async () => {
    const port = { first: 53, last: 53 }
    const udp = rule({ protocols: [{ type: 'udp', ports: [port] }] })
    const version = (n: number, more: Partial<SledNetwork> = {}) => ({
      ...networkOf(blue, n, [udp]),
      ...more,
    })
    const silence = async () => {
      for (const name of [a, b]) await ip(zone(name), 'addr', 'flush', 'dev', 'eth0')
      await sender.use([host, place(a), place(b)])
    }
    const opens = { source: '10.0.0.5', protocol: { type: 'udp' as const, port: 53 }, port: 4_000, from: a }
    const answers = { protocol: { type: 'udp' as const, port: 4_000 }, port: 53 }
    const ofPeer = { ...answers, from: b, source: '10.0.0.6', destination: '10.0.0.5' }
    const ofOutside = { ...answers, from: 'host', source: '9.9.9.9', destination: external.blue }
    const openBoth = async () => {
      expect(await goes({ ...opens, destination: '10.0.0.6' })).toBe(`${b} 10.0.0.5`)
      expect(await goes({ ...opens, destination: '9.9.9.9' })).toBe(`host ${external.blue}`)
    }
    await kernel.set(version(1))
    for (const name of ['edge', blue]) await keepAll(`purlin-${scope}-${name}`)
    await silence()
    await openBoth()
    // Another rule changes nothing.
    await kernel.set({ ...networkOf(blue, 2, [udp, echo]) })
    expect(await goes(ofPeer)).toBe(`${a} 10.0.0.6`)
    expect(await goes(ofOutside)).toBe(`${a} 9.9.9.9`)
    await kernel.set(networkOf(blue, 3, []))
    expect(await goes(ofPeer, false)).toBeNull()
    expect(await goes(ofOutside)).toBe(`${a} 9.9.9.9`)
    const [first, second] = networkOf(blue, 1).interfaces
    if (!first || !second) throw new Error('no interfaces')
    const bare = { ...first, rules: [0], nat: { inbound: [], outbound: [] } }
    await kernel.set(version(4, { interfaces: [bare, second] }))
    expect(await goes(ofOutside, false)).toBeNull()
    await kernel.set(version(5))
    await openBoth()
    const next = { ...first, id: 'c of blue', mac: 'A8:40:25:F0:00:03' }
    await kernel.set(version(6, { interfaces: [next, second] }))
    await sender.use([host, place(b), place(next.id)])
    expect(await goes(ofPeer, false)).toBeNull()
    expect(await goes(ofOutside, false)).toBeNull()
  })

  it('the next process takes over what is there, and removes what is gone', async () => {
    await kernel.set(networkOf(blue, 3))
    await kernel.set(networkOf(red, 1))
    await run('ip', ['netns', 'add', `purlin-${scope}-gone`])
    kernel = await open()
    expect(await kernel.held()).toEqual(
      expect.arrayContaining([
        { vpcId: blue, version: 3 },
        { vpcId: red, version: 1 },
      ]),
    )
    expect(await namespaces()).not.toContain(`purlin-${scope}-gone`)
    await kernel.set(networkOf(blue, 3, []))
    await sender.use([host])
    const fromHost = { from: 'host', source: management }
    expect(await goes({ ...fromHost, destination: external.blue })).toBe(`host ${external.blue}`)
    await expect(
      kernel.set({ ...networkOf(blue, 4), rules: [rule({ hosts: { inside: false, nets: ['x'] } })] }),
    ).rejects.toThrow('malformed')
    expect(await goes({ ...fromHost, destination: external.blue })).toBe(`host ${external.blue}`)
    await kernel.set({ ...networkOf(blue, 5), interfaces: [] })
    expect(await kernel.held()).toEqual([{ vpcId: red, version: 1 }])
    const left = (await namespaces()).filter((name) => name.startsWith(`purlin-${scope}-`))
    expect(left).toHaveLength(4)
    expect(await goes({ ...fromHost, destination: external.blue }, false)).toBeNull()
    expect(await ip(outside, 'route', 'show')).not.toContain(external.blue)
    // A host that has restarted has no namespaces.
    for (const name of left) await ip(null, 'netns', 'del', name)
    kernel = await open()
    expect(await kernel.held()).toEqual([])
  })

  it('a network that the edge does not lead to yet is not in force, and is led to by the next attempt', async () => {
    await kernel.set(networkOf(red, 1))
    const lead = vi.spyOn(Edge.prototype, 'lead').mockRejectedValueOnce(new Error('refused'))
    await expect(kernel.set(networkOf(blue, 7))).rejects.toThrow('refused')
    expect(await kernel.held()).toEqual([{ vpcId: red, version: 1 }])
    await kernel.set(networkOf(blue, 7))
    lead.mockRestore()
    expect(await kernel.held()).toContainEqual({ vpcId: blue, version: 7 })
    await sender.use([host])
    const fromHost = { from: 'host', source: management }
    expect(await goes({ ...fromHost, destination: external.blue })).toBe(`host ${external.blue}`)
  })

  it('a guest asks for an address with its own MAC address only, and no question is kept as a connection', async () => {
    await kernel.set(networkOf(blue, 1))
    const vpc = `purlin-${scope}-${blue}`
    await keepAll(vpc)
    const counting = 'chain c { type filter hook input priority 10; udp dport 67 counter; }'
    await applyNft(vpc, `table inet asked {\n${counting}\n}\n`)
    const arrived = () => inside(vpc, ['nft', 'list', 'table', 'inet', 'asked'])
    const asks = (mac: string) => inside(zone(a), ['python3', '-c', question, mac])
    await asks('a84025f00002')
    expect(await arrived()).toContain('packets 0 ')
    await asks('a84025f00001')
    await vi.waitFor(async () => expect(await arrived()).toContain('packets 1 '), 60_000)
    expect(await inside(vpc, ['conntrack', '-L', '-p', 'udp'])).not.toContain('dport=67')
  })

  it('a server of addresses that has ended is started again, and others are not named like the edge', async () => {
    const network = networkOf(blue, 1)
    const interfaces = network.interfaces.map((nic) => ({ ...nic, owner: 'instance' as const }))
    await kernel.set({ ...network, interfaces })
    const processOf = () => Number(readFileSync(join(folder, `${blue}.dhcp.pid`), 'utf8'))
    const isThere = (pid: number) =>
      existsSync(`/proc/${pid}/cmdline`) && readFileSync(`/proc/${pid}/cmdline`, 'utf8') !== ''
    const before = processOf()
    process.kill(before, 'SIGKILL')
    await vi.waitFor(() => expect(isThere(before)).toBe(false), 60_000)
    await kernel.held()
    expect(processOf()).not.toBe(before)
    expect(isThere(processOf())).toBe(true)
    for (const vpcId of ['edge', 'n0123456789ab', '../blue'])
      await expect(kernel.set({ ...network, vpcId })).rejects.toThrow('malformed id')
    expect(() =>
      routingOf({ ...network, interfaces: interfaces.map((nic) => ({ ...nic, routes: 1e9 })) }, () => true),
    ).toThrow('malformed')
  })

  it('a namespace that was made in part is completed', async () => {
    for (const name of ['edge', blue]) await run('ip', ['netns', 'add', `purlin-${scope}-${name}`])
    await ip(`purlin-${scope}-${blue}`, 'rule', 'add', 'pref', '300', 'blackhole')
    await kernel.set(networkOf(blue, 1))
    await sender.use([host])
    const fromHost = { from: 'host', source: management }
    expect(await goes({ ...fromHost, destination: external.blue })).toBe(`host ${external.blue}`)
    expect(await ip(`purlin-${scope}-${blue}`, 'rule', 'show')).not.toContain('32766')
  })

  it('a guest that opens connections without end leaves room for others', async () => {
    await kernel.set(networkOf(blue, 1))
    await kernel.set(networkOf(red, 1))
    const limited = [`purlin-${scope}-${blue}`, `purlin-${scope}-edge`] as const
    for (const name of limited) await keepAll(name)
    const room = Number(readFileSync('/proc/sys/net/netfilter/nf_conntrack_max', 'utf8'))
    // The packets of this test have some more.
    const ofInterface = Math.min(4_096, Math.floor(room / 64)) + 50
    const ofVpc = Math.min(8_192, Math.floor(room / 32)) + 50
    await flood(zone(a))
    for (const name of limited) expect(await used(name)).toBeLessThanOrEqual(ofInterface)
    // The share is used up, and a change of the network does not give another one.
    await sender.use([host, place(a), place('a of red')])
    const of = { source: '10.0.0.5', destination: management }
    await kernel.set(networkOf(blue, 2))
    expect(await goes({ from: a, ...of, protocol: { type: 'udp', port: 9 } }, false)).toBeNull()
    const ping = { from: 'a of red', source: '10.0.0.5', destination: external.blue }
    expect(await goes(ping)).toBe(`a of red ${external.blue}`)
    // Many interfaces of a VPC have no more outside.
    await inside(limited[0], ['nft', 'delete', 'table', 'inet', 'purlin_limits'])
    await flood(zone(a))
    expect(await used(limited[0])).toBeGreaterThan(ofVpc)
    expect(await used(limited[1])).toBeLessThanOrEqual(ofVpc)
  })

  it('connections without an answer to one external address leave room for the others of a VPC', async () => {
    const network = networkOf(blue, 1)
    const second = '203.0.113.2'
    const as = { kind: 'floating' as const, ip: second, firstPort: 0, lastPort: 65_535 }
    const nat = { inbound: [as], outbound: [{ gatewayId: 'gateway of blue', addresses: [as] }] }
    const interfaces = network.interfaces.map((nic) => (nic.id === b ? { ...nic, nat } : nic))
    await kernel.set({ ...network, interfaces })
    const edge = `purlin-${scope}-edge`
    const ofKernel = (name: string, setting: string) =>
      inside(name, ['sysctl', '-n', `net.netfilter.nf_conntrack_${setting}`])
    for (const name of [edge, `purlin-${scope}-${blue}`]) {
      for (const kind of ['tcp_timeout_syn_sent', 'tcp_timeout_syn_recv', 'udp_timeout'])
        expect(await ofKernel(name, kind)).toBe('10\n')
      expect(await ofKernel(name, 'tcp_timeout_established')).toBe('7200\n')
      expect(await ofKernel(name, 'tcp_loose')).toBe('0\n')
    }
    // Of a smaller table, so that a short flood is enough.
    await applyNft(edge, limitsNftOf(edgeLimits, 6_400))
    await keepAll(edge)
    await flood(outside, external.blue, 1_000)
    expect(await used(edge)).toBeGreaterThanOrEqual(100)
    expect(await used(edge)).toBeLessThan(150)
    await sender.use([host])
    const fromHost = { from: 'host', source: management }
    expect(await goes({ ...fromHost, destination: external.blue }, false)).toBeNull()
    expect(await goes({ ...fromHost, destination: second })).toBe(`host ${second}`)
  })

  it('many connections of a rule that goes are ended at once, and others stay', async () => {
    const udp = (...ports: number[]) =>
      ports.map((port) => rule({ protocols: [{ type: 'udp', ports: [{ first: port, last: port }] }] }))
    const vpc = `purlin-${scope}-${blue}`
    await kernel.set(networkOf(blue, 1, udp(53, 54)))
    await keepAll(vpc)
    await sender.use([host, place(a)])
    const to = (port: number) => ({
      from: 'host',
      destination: external.blue,
      protocol: { type: 'udp' as const, port },
      number: 0,
    })
    const sources = Array.from({ length: 800 }, (_, i) => `9.9.${i >> 8}.${i & 255}`)
    const packets = sources.map((source) => ({ ...to(53), source, n: ++count }))
    const numbers = packets.map(({ n }) => n)
    expect(Object.keys(await sender.send(packets, numbers))).toHaveLength(numbers.length)
    expect(await goes({ ...to(54), source: '9.9.9.9' })).toBe(`${a} 9.9.9.9`)
    await kernel.set(networkOf(blue, 2, udp(54)))
    const listed = await inside(vpc, ['conntrack', '-L', '-p', 'udp'])
    expect(listed).not.toContain('dport=53 ')
    expect(listed).toContain('dport=54 ')
    // Too many to end one by one.
    await kernel.set(networkOf(blue, 3, [rule({})]))
    await flood(zone(a), '10.0.0.6', 3_000)
    expect(await used(vpc)).toBeGreaterThan(2_500)
    await kernel.set(networkOf(blue, 4, []))
    expect(await used(vpc)).toBeLessThan(50)
  })

  it('connections that could not be ended keep no network from being in force, and are ended later', async () => {
    const vpc = `purlin-${scope}-${blue}`
    const listed = () => inside(vpc, ['conntrack', '-L', '-p', 'udp'])
    const warning = vi.spyOn(process, 'emitWarning').mockReturnValue()
    await kernel.set(networkOf(blue, 1, [rule({})]))
    await keepAll(vpc)
    await flood(zone(a), '10.0.0.6', 10)
    // Where the list of connections would be.
    const inTheWay = join(folder, `${blue}.ended`)
    mkdirSync(inTheWay)
    await kernel.set(networkOf(blue, 2)).finally(() => rmSync(inTheWay, { recursive: true }))
    expect(warning).toHaveBeenCalledWith(expect.stringContaining('are ended later'))
    warning.mockRestore()
    expect(await listed()).toContain('dport=9 ')
    await sender.use([host])
    const fromHost = { from: 'host', source: management }
    expect(await goes({ ...fromHost, destination: external.blue })).toBe(`host ${external.blue}`)
    expect(await kernel.held()).toEqual([{ vpcId: blue, version: 2 }])
    expect(await listed()).not.toContain('dport=9 ')
  })

  it('a device of a machine leads nowhere until the machine has opened it and its network is there', async () => {
    const id = 'guest'
    const [device = ''] = await kernel.prepare([id])
    expect(await devicesIn(null)).toContain(device)
    const network = networkOf(blue, 1)
    const [first] = network.interfaces
    const interfaces = first ? [{ ...first, id, owner: 'instance' as const }] : []
    await kernel.set({ ...network, interfaces })
    expect(await devicesIn(`purlin-${scope}-${blue}`)).not.toContain(device)
    await kernel.connect([id])
    expect(await devicesIn(null)).not.toContain(device)
    expect(await devicesIn(`purlin-${scope}-${blue}`)).toContain(device)
    expect(await ip(`purlin-${scope}-${blue}`, 'route', 'show', 'table', '999')).toContain('10.0.0.5')
    await kernel.prepare([id])
    expect(await devicesIn(`purlin-${scope}-${blue}`)).not.toContain(device)
    await kernel.release([id])
    expect(await devicesIn(null)).not.toContain(device)
  })

  it('a device that a failed change has left is connected by the next one, or by the next process', async () => {
    const id = 'guest'
    const network = networkOf(blue, 1)
    const [first] = network.interfaces
    const interfaces = first ? [{ ...first, id, owner: 'instance' as const }] : []
    const inVpc = () => devicesIn(`purlin-${scope}-${blue}`)
    const [device = ''] = await kernel.prepare([id])
    await kernel.connect([id])
    // The kernel gives no device the address of a group.
    const refused = first ? [{ ...first, mac: 'A9:40:25:F0:00:01' }] : []
    await expect(kernel.set({ ...network, interfaces: [...refused, ...interfaces] })).rejects.toThrow('ip ')
    expect(await inVpc()).not.toContain(device)
    await kernel.set({ ...network, interfaces })
    expect(await inVpc()).toContain(device)
    await kernel.prepare([id])
    expect(await inVpc()).not.toContain(device)
    kernel = await open()
    expect(await inVpc()).toContain(device)
    await kernel.release([id])
  })
})

/** A VPC whose guests are on two hosts. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { SledNetwork } from '@purlin/core/ports'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { lacks } from '@purlin/sleds/testing/skips'
import { routerLinkLocal, routerMac } from '../compile/texts.ts'
import { edgeMac } from '../compile/ways.ts'
import { openGuest } from '../testing/guests.ts'
import { whyNoNetworks } from '../testing/packets.ts'
import { linkAddresses, openTwoHosts, type TestHost, type TwoHosts } from '../testing/two-hosts.ts'
import { addressIn, blue, echo, networkOf, red, rule, withFamily } from '../testing/two-vpcs.ts'
import { applyNft, devicesIn, inside, ip } from './commands.ts'

const script = fileURLToPath(new URL('../testing/tunnel.py', import.meta.url))
const why = whyNoNetworks()
const [a, b] = ['a of blue', 'b of blue'] as const
let two: TwoHosts
let first: TestHost
let second: TestHost

/** Runs a command of the script as a guest. */
const as = async (namespace: string, ...args: (string | number)[]) =>
  (await inside(namespace, ['python3', script, ...args.map(String)])).trim()
/** The first guest is on the first host, the second one on the second. */
const apart = (id: string) => (id.startsWith('a ') ? 'first' : 'second')
const answered = 'answered'
/** How many echo requests a guest has got. */
async function requests(namespace: string, family: 4 | 6 = 4): Promise<number> {
  const lines = (await inside(namespace, ['cat', `/proc/net/snmp${family === 6 ? '6' : ''}`])).split('\n')
  if (family === 6) return Number(lines.find((line) => line.startsWith('Icmp6InEchos '))?.split(/\s+/)[1])
  const [names = '', values = ''] = lines.filter((line) => line.startsWith('Icmp:'))
  return Number(values.split(' ')[names.split(' ').indexOf('InEchos')])
}
const vpcOn = ({ scope }: TestHost, vpcId: string) => `purlin-${scope}-${vpcId}`

/** Has a guest listen, and another one call it. */
async function calls(from: string, to: { namespace: string; address: string }, port: number) {
  const listening = spawn('nsenter', [
    `--net=/run/netns/${to.namespace}`,
    'python3',
    script,
    'serve',
    String(port),
  ])
  await once(listening.stdout, 'data')
  try {
    return await as(from, 'call', to.address, port, 100_000)
  } finally {
    listening.kill()
  }
}

describe.skipIf(lacks(why))('a VPC on two hosts', () => {
  beforeAll(async () => {
    two = await openTwoHosts(`${process.pid}`.slice(-5))
    ;[first, second] = two.hosts
  })
  afterEach(async () => {
    for (const { kernel } of two.hosts) await kernel.clear()
  })
  afterAll(() => two.close())

  it.each([4, 6] as const)(
    'guests reach each other by IPv%i as rules allow, and packets have the size that fits',
    async (family) => {
      const [own, far] = [addressIn(family, 5), addressIn(family, 6)]
      const tcp = rule({ protocols: [{ type: 'tcp', ports: [{ first: 80, last: 80 }] }] })
      await two.set(withFamily(family, networkOf(blue, 1, [echo, tcp])), apart)
      const there = { namespace: second.zone(b), address: far }
      expect(await as(first.zone(a), 'echo', far, 8)).toBe(answered)
      expect(await as(first.zone(a), 'echo', far, 1_390)).toBe(answered)
      expect(await as(first.zone(a), 'echo', far, 1_450)).toBe(
        `type ${family === 4 ? '3 code 4' : '2 code 0'} mtu 1450`,
      )
      expect(await calls(first.zone(a), there, 80)).toBe(`hello ${own} 100000`)
      // Answers pass, and nothing else.
      const only = { inside: false, nets: ['10.0.0.5/32'] }
      await two.set(withFamily(family, networkOf(blue, 2, [{ ...echo, hosts: only }])), apart)
      expect(await as(first.zone(a), 'echo', far, 8)).toBe(answered)
      const before = await requests(first.zone(a), family)
      expect(await as(second.zone(b), 'silent', own, 8)).toBe('no answer')
      expect(await requests(first.zone(a), family)).toBe(before)
    },
  )

  it.each([
    [4, '224.0.0.1'],
    [6, 'ff02::1%eth0'],
  ] as const)(
    'a guest finds its router by IPv%i, and no question for an address crosses the tunnel',
    async (family, everyone) => {
      const table = 'table inet asked'
      const counting = 'chain c { type filter hook output priority 0; udp dport 4789 counter; }'
      await applyNft(first.outside, `${table} {}\ndelete ${table}\n${table} {\n${counting}\n}\n`)
      await two.set(withFamily(family, networkOf(blue, 1)), apart)
      const zone = first.zone(a)
      await ip(zone, 'neigh', 'del', addressIn(family, 1), 'dev', 'eth0')
      expect(await as(zone, 'echo', addressIn(family, 6), 8)).toBe(answered)
      for (const address of [addressIn(family, 9), everyone])
        expect(await as(zone, 'silent', address, 8)).toBe('no answer')
      expect(await inside(first.outside, ['nft', 'list', ...table.split(' ')])).toContain('packets 1 ')
    },
  )

  it('a guest gets its router and its address of IPv6, also with another system, and reaches other hosts', async () => {
    const network = withFamily(6, networkOf(blue, 1))
    const interfaces = network.interfaces.map((nic) =>
      nic.id === a ? { ...nic, owner: 'instance' as const } : nic,
    )
    const [own] = interfaces
    if (!own) throw new Error('no interface')
    const heard = new RegExp(`default via ${routerLinkLocal} dev eth0 proto ra .* mtu 1450 `)
    await two.set({ ...network, interfaces }, apart)
    const guest = await openGuest(first, own)
    await expect.poll(() => ip(guest.zone, '-6', 'route'), { timeout: 50_000 }).toMatch(heard)
    expect(await as(guest.zone, 'lease6', 'one system')).toBe(own.ip)
    // It belongs to the other one for some minutes.
    expect(await as(guest.zone, 'lease6', 'another system')).toBe('no address')
    await ip(guest.zone, 'addr', 'add', `${own.ip}/128`, 'dev', 'eth0')
    expect(await as(guest.zone, 'echo', addressIn(6, 6), 8)).toBe(answered)
    expect(await as(second.zone(b), 'echo', own.ip, 8)).toBe(answered)
    await guest.close()
    const next = await openGuest(first, own)
    await expect.poll(() => ip(next.zone, '-6', 'route'), { timeout: 50_000 }).toMatch(heard)
    expect(await as(next.zone, 'lease6', 'another system')).toBe(own.ip)
    // A guest with many addresses fills no table.
    await as(next.zone, 'ask_as_many', own.mac, routerMac, routerLinkLocal)
    const known = (await ip(vpcOn(first, blue), '-6', 'neigh')).split('\n')
    expect(known.length).toBeLessThan(150)
    await next.close()
  })

  it('two VPCs with the same addresses are apart', async () => {
    await two.set(networkOf(blue, 1), apart)
    await two.set(networkOf(red, 1, []), apart)
    const zones = [second.zone(b), second.zone('b of red')] as const
    expect(await as(first.zone(a), 'echo', '10.0.0.6', 8)).toBe(answered)
    expect(await as(first.zone('a of red'), 'silent', '10.0.0.6', 8)).toBe('no answer')
    expect(await Promise.all(zones.map((one) => requests(one)))).toEqual([1, 0])
    await two.set(networkOf(red, 2), apart)
    expect(await as(first.zone('a of red'), 'echo', '10.0.0.6', 8)).toBe(answered)
    expect(await Promise.all(zones.map((one) => requests(one)))).toEqual([1, 1])
  })

  it.each([4, 6] as const)(
    'a host takes packets of a VPC by IPv%i from hosts that have its guests only, and from addresses of these guests',
    async (family) => {
      const network = withFamily(family, networkOf(blue, 1, [rule({})]))
      await two.set(network, apart)
      const arrived = () => requests(second.zone(b), family)
      const forged = async (from: string, more: { vni?: number; last?: number; mac?: string }) => {
        const { vni = network.vni, last = 5, mac = 'a8:40:25:f0:00:02' } = more
        const [source, destination] = [addressIn(family, last), addressIn(family, 6)]
        await as(from, 'forge', second.address, vni, source, destination, mac)
      }
      await forged(first.outside, {})
      await expect.poll(arrived, { timeout: 50_000 }).toBe(1)
      await forged(two.stranger, {})
      // Of no guest of that host, of one of this host, for a guest that is not here, and of another VPC.
      await forged(first.outside, { last: 9 })
      await forged(first.outside, { last: 6 })
      await forged(first.outside, { mac: 'a8:40:25:f0:00:01' })
      await forged(first.outside, { vni: network.vni + 1 })
      await forged(first.outside, {})
      await expect.poll(arrived, { timeout: 50_000 }).toBe(2)
      // Rules that were flushed come back.
      await inside(second.outside, ['nft', 'flush', 'ruleset'])
      await second.kernel.held()
      await forged(two.stranger, {})
      await forged(first.outside, {})
      await expect.poll(arrived, { timeout: 50_000 }).toBe(3)
    },
  )

  it('a guest is found on the host that it has moved to, and a host that has none has no tunnel', async () => {
    await two.set(networkOf(blue, 1), () => 'first')
    expect(await as(first.zone(a), 'echo', '10.0.0.6', 8)).toBe(answered)
    expect(await devicesIn(vpcOn(first, blue))).not.toContain('tunnel')
    await two.set(networkOf(blue, 2), apart)
    expect(await as(first.zone(a), 'echo', '10.0.0.6', 8)).toBe(answered)
    await two.set(networkOf(blue, 3), () => 'second')
    expect(await as(second.zone(a), 'echo', '10.0.0.6', 8)).toBe(answered)
    expect(await first.kernel.held()).toEqual([])
    await two.set(networkOf(blue, 4), apart)
    expect(await as(second.zone(b), 'echo', '10.0.0.5', 8)).toBe(answered)
    // It has its old number at once.
    await first.kernel.clear()
    await two.set(networkOf(blue, 5), apart)
    expect(await as(second.zone(b), 'echo', '10.0.0.5', 8)).toBe(answered)
  })

  it('the next process takes tunnels over, and its connections go on', async () => {
    await two.set(networkOf(blue, 1), apart)
    expect(await as(first.zone(a), 'echo', '10.0.0.6', 8)).toBe(answered)
    await second.reopen()
    expect(await second.kernel.held()).toEqual([{ vpcId: blue, version: 1 }])
    expect(await inside(vpcOn(second, blue), ['conntrack', '-L', '-p', 'icmp'])).toContain('src=10.0.0.5')
    expect(await as(first.zone(a), 'echo', '10.0.0.6', 8)).toBe(answered)
    // Without the rule, the connection is ended where its guest is.
    await two.set(networkOf(blue, 2, []), apart)
    expect(await inside(vpcOn(second, blue), ['conntrack', '-L', '-p', 'icmp'])).not.toContain('src=10.0.0.5')
  })

  it('a route leads to a guest of another host, which may pass packets on', async () => {
    const network = networkOf(blue, 1)
    const [set = []] = network.routeSets
    const [local] = set
    if (!local) throw new Error('no route')
    const hop = { ...local, destination: '198.51.100.0/24', target: { type: 'ip' as const, ip: '10.0.0.6' } }
    const through = (transitIps: string[]): SledNetwork => ({
      ...network,
      version: network.version + transitIps.length,
      routeSets: [[hop, ...set]],
      interfaces: network.interfaces.map((nic) => (nic.id === b ? { ...nic, transitIps } : nic)),
    })
    await two.set(through([]), apart)
    // It answers for another address.
    await ip(second.zone(b), 'addr', 'add', '198.51.100.7/32', 'dev', 'lo')
    // It would ask for the first guest with that address, which has no MAC address.
    await ip(second.zone(b), 'neigh', 'replace', '10.0.0.5', 'lladdr', routerMac, 'dev', 'eth0')
    expect(await as(first.zone(a), 'silent', '198.51.100.7', 8)).toBe('no answer')
    await two.set(through(['198.51.100.0/24']), apart)
    expect(await as(first.zone(a), 'echo', '198.51.100.7', 8)).toBe(answered)
  })

  describe('with external addresses that one of them leads', () => {
    const shared = '203.0.113.7'
    const floating = '203.0.113.8'
    const firewall = [rule({ protocols: [{ type: 'tcp', ports: [{ first: 80, last: 80 }] }] })]
    /** Both share an address, each with ports. The second guest may have another one. */
    const network = (version: number, inbound: string[] = []): SledNetwork => {
      const { interfaces, ...rest } = networkOf(blue, version, firewall)
      const all = { firstPort: 0, lastPort: 65_535 }
      return {
        ...rest,
        interfaces: interfaces.map((nic, i) => {
          const own =
            nic.id === b ? inbound.map((one) => ({ kind: 'floating' as const, ip: one, ...all })) : []
          const snat = {
            kind: 'snat' as const,
            ip: shared,
            firstPort: i * 16_384,
            lastPort: i * 16_384 + 16_383,
          }
          return { ...nic, nat: { inbound: own, outbound: [{ gatewayId: 'g', addresses: [...own, snat] }] } }
        }),
        routeSets: rest.routeSets.map((set) =>
          set.map((one) =>
            one.target.type === 'gateway' ? { ...one, target: { type: 'gateway', id: 'g' } } : one,
          ),
        ),
      }
    }
    const ofShared = { ip: shared, isShared: true }
    const ofFloating = { ip: floating, isShared: false }
    const far = () => ({ namespace: two.stranger, address: linkAddresses.stranger })
    const edgeOfFirst = () => devicesIn(`purlin-${first.scope}-edge`)

    beforeAll(async () => {
      await inside(first.outside, ['sysctl', '-qw', 'net.ipv4.ip_forward=1'])
      for (const one of [shared, floating])
        await ip(two.stranger, 'route', 'add', one, 'via', linkAddresses.first, 'dev', 'eth0')
    })

    it('guests of both share an address, and have their answers', async () => {
      await two.set(network(1), apart, [ofShared])
      expect(await calls(first.zone(a), far(), 80)).toBe(`hello ${shared} 100000`)
      expect(await calls(second.zone(b), far(), 80)).toBe(`hello ${shared} 100000`)
      // The network of the second host has not seen them.
      expect(await ip(second.outside, 'route', 'show')).not.toContain(shared)
      await first.reopen()
      expect(await calls(second.zone(b), far(), 81)).toBe(`hello ${shared} 100000`)
      // No connection is opened to a shared address.
      expect(await as(two.stranger, 'silent', shared, 8)).toBe('no answer')
    })

    it('a floating address is reached by a host without guests of the VPC, by its rules, until the guest has lost it', async () => {
      await two.set(network(1, [floating]), () => 'second', [ofShared, ofFloating])
      const guest = { namespace: second.zone(b), address: floating }
      expect(await first.kernel.held()).toEqual([{ vpcId: blue, version: 1 }])
      expect(await calls(two.stranger, guest, 80)).toBe(`hello ${linkAddresses.stranger} 100000`)
      expect(await calls(second.zone(b), far(), 80)).toBe(`hello ${floating} 100000`)
      expect(await as(two.stranger, 'silent', floating, 8)).toBe('no answer')
      await first.reopen()
      expect(await first.kernel.held()).toEqual([{ vpcId: blue, version: 1 }])
      expect(await calls(two.stranger, guest, 80)).toBe(`hello ${linkAddresses.stranger} 100000`)
      // Only the host that leads it may say that a packet has come from outside.
      const before = await requests(second.zone(b))
      await two.set({ ...network(2, [floating]), rules: [rule({})] }, () => 'second', [ofFloating])
      await as(two.stranger, 'forge', second.address, 1, '198.51.100.9', floating, edgeMac(second.address))
      expect(await as(two.stranger, 'echo', floating, 8)).toBe(answered)
      expect(await requests(second.zone(b))).toBe(before + 1)
      await two.set(network(3), () => 'second')
      expect(await first.kernel.held()).toEqual([])
      expect(await edgeOfFirst()).not.toContain('tunnel')
      expect(await ip(first.outside, 'route', 'show')).not.toContain(floating)
    })
  })
})

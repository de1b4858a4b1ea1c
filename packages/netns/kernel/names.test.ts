/** The names of a VPC whose guests are on two hosts. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { NetworkRule, SledNetwork } from '@purlin/core/ports'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { lacks } from '@purlin/sleds/testing/skips'
import { openGuest, type TestGuest } from '../testing/guests.ts'
import { whyNoNetworks } from '../testing/packets.ts'
import { linkAddresses, openTwoHosts, type TestHost, type TwoHosts } from '../testing/two-hosts.ts'
import { addressIn, blue, echo, external, networkOf, rule, withFamily } from '../testing/two-vpcs.ts'
import { inside, ip } from './commands.ts'

const script = fileURLToPath(new URL('../testing/names.py', import.meta.url))
const why = whyNoNetworks()
/** Of another zone, and the address that the server of the hosts has for it. */
const [elsewhere, answer] = ['web.example', '198.51.100.80'] as const
const refused = '5'
const unknown = '3'

let two: TwoHosts
let first: TestHost
let second: TestHost
let server: ReturnType<typeof spawn>
const guests: TestGuest[] = []

/** The instances of blue, of which the first has an external address. */
function blueOf(version: number, rules: NetworkRule[] = [echo], family: 4 | 6 = 4): SledNetwork {
  const { interfaces, ...rest } = withFamily(family, networkOf(blue, version, rules))
  // Devices of guests begin in the namespace that all files of tests share, under a name made of the id.
  const own = interfaces.map((nic) => ({
    ...nic,
    id: `${nic.id} ${process.pid}`,
    owner: 'instance' as const,
  }))
  return { ...rest, zone: 'blue.internal', interfaces: own }
}
const apart = (id: string) => (id.startsWith('a ') ? 'first' : 'second')

/** Starts the guests of a network where they are. */
async function open(network: SledNetwork, sledOf: (id: string) => string): Promise<string[]> {
  await two.set(network, sledOf)
  for (const nic of network.interfaces) {
    const guest = await openGuest(sledOf(nic.id) === 'first' ? first : second, nic)
    guests.push(guest)
    await guest.setUp()
  }
  return guests.map(({ zone }) => zone)
}
const python = async (namespace: string, ...args: string[]) =>
  (await inside(namespace, ['python3', script, ...args])).trim()
const ask = (zone: string, name: string, family: 4 | 6 = 4) => python(zone, 'ask', addressIn(family, 1), name)
const askByTcp = (zone: string, name: string) => python(zone, 'ask_by_tcp', addressIn(4, 1), name)

describe.skipIf(lacks(why))('the names of a VPC', () => {
  beforeAll(async () => {
    two = await openTwoHosts(`d${process.pid}`.slice(-5))
    ;[first, second] = two.hosts
    await inside(first.outside, ['sysctl', '-qw', 'net.ipv4.ip_forward=1'])
    await ip(two.stranger, 'route', 'add', external.blue, 'via', linkAddresses.first, 'dev', 'eth0')
    server = spawn('nsenter', [`--net=/run/netns/${two.stranger}`, 'python3', script, 'serve', answer])
    if (server.stdout) await once(server.stdout, 'data')
  })
  afterEach(async () => {
    for (const guest of guests.splice(0)) await guest.close()
    for (const { kernel } of two.hosts) await kernel.clear()
  })
  afterAll(async () => {
    server.kill()
    await two.close()
  })

  it('an instance reaches those on all hosts by their names, as long as they run', async () => {
    const [a = '', b = ''] = await open(blueOf(1), apart)
    expect(await ask(a, 'b.blue.internal')).toBe('0 10.0.0.6')
    expect(await ask(b, 'A.Blue.INTERNAL')).toBe('0 10.0.0.5')
    expect(await askByTcp(b, 'a.blue.internal')).toBe('0 10.0.0.5')
    expect(await ask(a, 'c.blue.internal')).toBe(unknown)
    // The process that answers reads the names again, and takes over from the one before.
    const stopped = blueOf(2)
    await two.set({ ...stopped, interfaces: stopped.interfaces.slice(0, 1) }, apart)
    await expect.poll(() => ask(a, 'b.blue.internal')).toBe(unknown)
    await first.reopen()
    await two.set({ ...blueOf(3), zone: 'green.internal' }, apart)
    await expect.poll(() => ask(a, 'b.green.internal')).toBe('0 10.0.0.6')
  })

  it('an instance with IPv6 is answered by its router', async () => {
    const [a = ''] = await open(blueOf(1, [echo], 6), apart)
    expect(await ask(a, 'b.blue.internal', 6)).toBe('0 fd00:5::6')
    expect(await ask(a, elsewhere, 6)).toBe(refused)
  })

  it('the servers of the host are asked for instances that may do so themselves', async () => {
    const [a = '', b = ''] = await open(blueOf(1), () => 'first')
    expect(await ask(a, elsewhere)).toBe(`0 ${answer}`)
    // It has no way out.
    expect(await ask(b, elsewhere)).toBe(refused)
    expect(await askByTcp(b, 'a.blue.internal')).toBe('0 10.0.0.5')
    const deny = rule({ direction: 'outbound', action: 'deny', protocols: [{ type: 'udp', ports: null }] })
    await two.set(blueOf(2, [deny]), () => 'first')
    await expect.poll(() => ask(a, elsewhere)).toBe(refused)
    expect(await ask(a, 'b.blue.internal')).toBe('0 10.0.0.6')
  })

  it('an instance that asks without end leaves room for others, and no connections', async () => {
    const [a = '', b = ''] = await open(blueOf(1), () => 'first')
    const answers = Number(await python(a, 'ask_often', addressIn(4, 1), 'b.blue.internal', '2000'))
    expect(answers).toBeGreaterThan(200)
    expect(answers).toBeLessThan(1_000)
    expect(await ask(b, 'a.blue.internal')).toBe('0 10.0.0.5')
    expect(await inside(`purlin-${first.scope}-${blue}`, ['conntrack', '-C'])).toBe('0\n')
  })
})

/** The kernel does with packets what the model of networks says, from which they are explained to people. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { arrive, enter, leave, type Packet, type SledNetwork } from '@purlin/core/ports'
import {
  instances,
  isTie,
  netWith,
  packet,
  pushedOf,
  type Net,
} from '@purlin/core/testing/networks/generated-networks'
import fc from '@purlin/core/testing/properties'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { devices, routerMac } from '../compile/texts.ts'
import { openSender, whyNoNetworks, type PacketSender, type Sent } from '../testing/packets.ts'
import { inside, run } from './commands.ts'
import { linkMacs } from './namespaces.ts'
import { KernelNetworks } from './networks.ts'

const networks = 105
const packetsOfEach = 48
const outsideName = `purlin-outside-${process.pid}`
const scope = `t${process.pid}`.slice(0, 8)
/** Numbers of protocols that nothing knows. */
const firstNumber = 144
const numbers = 109
const floating = { kind: 'floating' as const, ip: '203.0.113.30', firstPort: 0, lastPort: 65_535 }

/** Most of the networks let more in than others, so that more packets arrive. */
function loosened({ rules, ...rest }: Net, i: number): Net {
  if (i % 2 === 0) return { rules, ...rest }
  const hosts = i % 4 === 3
  const open = rules.map((rule): Net['rules'][number] => ({
    ...rule,
    ...(rule.direction === 'inbound' ? { action: 'allow', status: 'enabled', targets: [] } : {}),
    ...(hosts ? { hosts: null } : {}),
  }))
  return { ...rest, rules: open, isAttached: true }
}

/** Its instances are probes, one has a floating address, and another may use more addresses. */
function withProbes(network: SledNetwork, i: number): SledNetwork {
  const interfaces = network.interfaces.map((nic) => ({
    ...nic,
    owner: 'probe' as const,
    transitIps: nic.id === 'c' && i % 3 === 0 ? ['9.9.9.0/24'] : [],
    nat:
      nic.id === 'b'
        ? { inbound: [floating], outbound: [{ gatewayId: 'gateway', addresses: [floating] }] }
        : nic.nat,
  }))
  return { ...network, interfaces }
}

/** Where the model says that a packet arrives, and with which source; null if it does not. */
function expected(network: SledNetwork, one: Packet & { from: string }): string | null {
  const allowed = (verdict: ReturnType<typeof arrive>) =>
    typeof verdict === 'object' && verdict.action === 'allow'
  if (one.from === 'outside') {
    const nic = enter(network, one.destination)?.nic
    if (!nic) return null
    const inner = { ...one, destination: nic.ip, inside: false }
    return allowed(arrive(network, nic, inner)) ? `${nic.id} ${one.source}` : null
  }
  const nic = network.interfaces.find(({ id }) => id === one.from)
  if (!nic) throw new Error(one.from)
  const departure = leave(network, nic, one)
  if (departure.type === 'outside') return `outside ${departure.as.ip}`
  if (departure.type !== 'inside') return null
  const to = network.interfaces.find(({ ip }) => ip === departure.to.ip)
  return to && allowed(arrive(network, to, { ...one, inside: true })) ? `${to.id} ${one.source}` : null
}

/** Decision 94: an error message that no connection has caused has no translated address. */
const isNamed = ({ protocol, from }: Sent, model: string | null, kernel: string | null): boolean =>
  protocol.type === 'icmp' &&
  protocol.icmpType === 3 &&
  kernel === null &&
  (from === 'outside' || model?.startsWith('outside') === true)

const why = whyNoNetworks()
let folder: string
let kernel: KernelNetworks
let sender: PacketSender

beforeAll(async () => {
  if (why) return
  folder = mkdtempSync(join(tmpdir(), 'purlin-networks-'))
  await run('ip', ['netns', 'add', outsideName])
  kernel = await KernelNetworks.open({
    scope,
    folder,
    owner: 0,
    resolvers: [],
    external: null,
    reach: ['0.0.0.0/0'],
    outside: outsideName,
  })
  sender = openSender()
})
afterAll(async () => {
  if (why) return
  sender.close()
  await kernel.clear()
  await run('ip', ['netns', 'del', outsideName])
  rmSync(folder, { recursive: true, force: true })
})

it.skipIf(why)('20 000 packets go where the model says', { timeout: 900_000 }, async () => {
  const generated = fc.tuple(
    netWith(8),
    fc.array(packet, { minLength: packetsOfEach, maxLength: packetsOfEach }),
  )
  const samples = fc.sample(generated, { numRuns: networks * 2 }).filter(([one]) => !isTie(one))
  const differences: string[] = []
  const counts = { sent: 0, arrived: 0, named: 0 }
  for (const [i, [one, packets]] of samples.slice(0, networks).entries()) {
    const network = withProbes(pushedOf(loosened(one, i), i), i)
    await kernel.set(network)
    if (i === 0) await openPlaces()
    // Answers to packets of the network before are none of this one.
    for (const name of [`purlin-${scope}-v`, `purlin-${scope}-edge`]) await inside(name, ['conntrack', '-F'])
    const inbound = { source: '9.9.9.9', destination: floating.ip, from: 'outside' }
    const sent = [
      ...packets.flatMap((each, k) =>
        instances.map(({ name, ip }) => ({ ...each, ...(k % 2 ? { source: ip } : {}), from: name })),
      ),
      ...packets.map(({ protocol }) => ({ protocol, ...inbound })),
    ].map((each, n): Sent => ({ ...each, n: counts.sent + n, number: firstNumber }))
    // Two of the same protocol without ports and the same ends would be one connection.
    for (const [k, each] of sent.filter(({ protocol }) => protocol.type === 'other').entries())
      each.number += k % numbers
    const model = new Map(sent.map((each) => [each.n, expected(network, each)]))
    const got = await sender.send(
      sent,
      sent.filter((each) => isToArrive(each, model.get(each.n) ?? null)).map(({ n }) => n),
    )
    for (const each of sent) {
      const is = got[each.n]?.join(' ') ?? null
      const should = model.get(each.n) ?? null
      if (is === should) counts.arrived += is === null ? 0 : 1
      else if (isNamed(each, should, is)) counts.named++
      else differences.push(`${JSON.stringify(each)}: model ${should}, kernel ${is}: ${JSON.stringify(one)}`)
    }
    counts.sent += sent.length
  }
  expect(differences.slice(0, 5)).toEqual([])
  expect(counts.sent).toBeGreaterThanOrEqual(20_000)
  expect(counts.arrived).toBeGreaterThan(1_000)
  expect(counts.named).toBeLessThan(counts.sent / 20)
})

const isToArrive = (one: Sent, model: string | null) => model !== null && !isNamed(one, model, null)

/** Sends from the zones of probes, which have no addresses then: nothing in them answers. */
async function openPlaces(): Promise<void> {
  const zone = (name: string) => `purlin-${scope}-${devices.nic(name)}`
  for (const { name } of instances) await run('ip', ['-n', zone(name), 'addr', 'flush', 'dev', 'eth0'])
  await sender.use([
    ...instances.map(({ name }) => ({ name, namespace: zone(name), device: 'eth0', next: routerMac })),
    { name: 'outside', namespace: outsideName, device: `pl-${scope}`, next: linkMacs.inner },
  ])
}

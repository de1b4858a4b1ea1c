/** Two hosts do with the packets of a VPC what the model says, which does not know of hosts. */
import type { SledNetwork } from '@purlin/core/ports'
import { instances } from '@purlin/core/testing/networks/generated-networks'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { lacks } from '@purlin/sleds/testing/skips'
import { routerMac } from '../compile/texts.ts'
import { awaited, compare, generated, ipv6Twin, sentIn } from '../testing/agreement.ts'
import { openSender, whyNoNetworks, type Arrivals, type PacketSender, type Sent } from '../testing/packets.ts'
import { openTwoHosts, type Led, type TwoHosts } from '../testing/two-hosts.ts'
import { inside, ip } from './commands.ts'
import { linkMacs } from './namespaces.ts'

const networks = 40
const packetsOfEach = 40
/** All ways between two guests are there: on one host, and on two in both directions. */
const sledOf = (name: string) => (name.startsWith('c') ? 'second' : 'first')
const outsideOf = (sledId: string) => `outside ${sledId}`

const why = whyNoNetworks()
let two: TwoHosts
let sender: PacketSender

beforeAll(async () => {
  if (why) return
  two = await openTwoHosts(`a${process.pid}`.slice(-5))
  sender = openSender()
})
afterAll(async () => {
  if (why) return
  sender.close()
  await two.close()
})

it.skipIf(lacks(why))('packets between two hosts go where the model says', { timeout: 900_000 }, async () => {
  const differences: string[] = []
  const counts = { sent: 0, arrived: 0, named: 0 }
  for (const [i, of] of generated(networks, packetsOfEach, true).entries()) {
    if (i > 0) await forget()
    await two.set(of.network, sledOf, i < networks / 2 ? [] : sharedOf(of.network))
    if (i === 0) await openPlaces()
    const sent = sentIn(of, counts.sent)
    const got = await sender.send(sent.map(placed), awaited(sent, of))
    differences.push(...compare({ sent, got: withoutHosts(got), of }, counts))
  }
  expect(differences.slice(0, 5)).toEqual([])
  expect(counts.sent).toBeGreaterThanOrEqual(9_600)
  expect(counts.arrived).toBeGreaterThan(300)
  expect(counts.named).toBeLessThan(counts.sent / 20)
})

/** Answers to packets of a network are none of the next one. */
async function forget(): Promise<void> {
  for (const { scope } of two.hosts)
    for (const name of ['v', 'edge']) await inside(`purlin-${scope}-${name}`, ['conntrack', '-F'])
}

/** The addresses of source NAT of the guest on the second host: in half of the networks, its packets leave by the first one. */
const sharedOf = ({ interfaces }: SledNetwork): Led =>
  interfaces
    .filter(({ id }) => sledOf(id) === 'second')
    .flatMap(({ nat }) => nat.outbound.flatMap(({ addresses }) => addresses))
    .map(({ ip: address }) => ({ ip: address, isShared: true }))

/** The host of the guest with the floating address gets what the outside sends. */
const placed = (one: Sent): Sent => (one.from === 'outside' ? { ...one, from: outsideOf('first') } : one)

/** Both have the same outside, as the model sees it. */
const withoutHosts = (got: Arrivals): Arrivals =>
  Object.fromEntries(
    Object.entries(got).map(([n, [place, source]]) => [n, [place.replace(/^outside .*/, 'outside'), source]]),
  )

/** Sends from the zones of probes, which have no addresses then: nothing in them answers. */
async function openPlaces(): Promise<void> {
  const names = instances.flatMap(({ name }) => [name, ipv6Twin(name)])
  const guests = names.flatMap((name) =>
    two.hosts.flatMap(({ sledId, zone }) =>
      sledId === sledOf(name) ? [{ name, namespace: zone(name) }] : [],
    ),
  )
  for (const { namespace } of guests) await ip(namespace, 'addr', 'flush', 'dev', 'eth0')
  await sender.use([
    ...guests.map((guest) => ({ ...guest, device: 'eth0', next: routerMac })),
    ...two.hosts.map(({ sledId, outside, scope }) => ({
      name: outsideOf(sledId),
      namespace: outside,
      device: `pl-${scope}`,
      next: linkMacs.inner,
    })),
  ])
}

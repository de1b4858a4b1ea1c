/** The kernel does with packets what the model of networks says, from which they are explained to people. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { instances } from '@purlin/core/testing/networks/generated-networks'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { lacks } from '@purlin/sleds/testing/skips'
import { devices, routerMac } from '../compile/texts.ts'
import { awaited, compare, generated, sentIn } from '../testing/agreement.ts'
import { openSender, whyNoNetworks, type PacketSender } from '../testing/packets.ts'
import { inside, run } from './commands.ts'
import { linkMacs } from './namespaces.ts'
import { KernelNetworks } from './networks.ts'

const networks = 105
const packetsOfEach = 48
const outsideName = `purlin-outside-${process.pid}`
const scope = `t${process.pid}`.slice(0, 8)

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

it.skipIf(lacks(why))('20 000 packets go where the model says', { timeout: 900_000 }, async () => {
  const differences: string[] = []
  const counts = { sent: 0, arrived: 0, named: 0 }
  for (const [i, of] of generated(networks, packetsOfEach).entries()) {
    // Answers to packets of the network before are none of this one.
    for (const name of i > 0 ? ['v', 'edge'] : [])
      await inside(`purlin-${scope}-${name}`, ['conntrack', '-F'])
    await kernel.set(of.network)
    if (i === 0) await openPlaces()
    const sent = sentIn(of, counts.sent)
    const got = await sender.send(sent, awaited(sent, of))
    differences.push(...compare({ sent, got, of }, counts))
  }
  expect(differences.slice(0, 5)).toEqual([])
  expect(counts.sent).toBeGreaterThanOrEqual(20_000)
  expect(counts.arrived).toBeGreaterThan(1_000)
  expect(counts.named).toBeLessThan(counts.sent / 20)
})

/** Sends from the zones of probes, which have no addresses then: nothing in them answers. */
async function openPlaces(): Promise<void> {
  const zone = (name: string) => `purlin-${scope}-${devices.nic(name)}`
  for (const { name } of instances) await run('ip', ['-n', zone(name), 'addr', 'flush', 'dev', 'eth0'])
  await sender.use([
    ...instances.map(({ name }) => ({ name, namespace: zone(name), device: 'eth0', next: routerMac })),
    { name: 'outside', namespace: outsideName, device: `pl-${scope}`, next: linkMacs.inner },
  ])
}

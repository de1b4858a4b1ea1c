/** A guest on enforced networks moves to another host, and its VPC with it. */
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { VmSpec } from '@purlin/core/ports'
import { inside } from '@purlin/netns/kernel/commands'
import { whyNoNetworks } from '@purlin/netns/testing/packets'
import { openTwoHosts, type TestHost, type TwoHosts } from '@purlin/netns/testing/two-hosts'
import { blue, networkOf, rule } from '@purlin/netns/testing/two-vpcs'
import { web } from '@purlin/sleds/suite/suite-harness'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { lacks } from '@purlin/sleds/testing/skips'
import { cutWire, type Cut } from '../testing/cut-wire.ts'
import { buildGuest, noGuest } from '../testing/guest.ts'
import { whyNoQemu } from '../testing/qemu.ts'
import { sharedFolder, smallSpec, type SharedHost } from '../testing/shared-hosts.ts'
import { openShell } from '../testing/shell.ts'

const script = fileURLToPath(new URL('../../netns/testing/tunnel.py', import.meta.url))
const patient = { timeout: 120_000, interval: 20 }
const arrivals = { host: '127.0.0.1', port: 0 }
const [guestNic, peerNic] = ['a of blue', 'b of blue'] as const
const guestIp = '10.0.0.5'

/** The first interface is that of a machine, and the other one that of a probe on the first host. */
function networkWith(version: number) {
  const open = rule({ hosts: { inside: true, nets: [] } })
  const { interfaces, ...rest } = networkOf(blue, version, [open])
  return {
    ...rest,
    interfaces: interfaces.map((nic) => (nic.id === guestNic ? { ...nic, owner: 'instance' as const } : nic)),
  }
}

describe.skipIf(lacks(whyNoQemu || whyNoNetworks()))(
  'a machine with an interface',
  { timeout: 300_000 },
  () => {
    let two: TwoHosts
    let shared: ReturnType<typeof sharedFolder>
    let one: SharedHost
    let other: SharedHost
    let spec: VmSpec
    let wire: Awaited<ReturnType<typeof cutWire>> | undefined
    let version = 0
    beforeAll(async () => {
      two = await openTwoHosts(`m${process.pid}`.slice(-5))
      shared = sharedFolder()
    })
    afterAll(async () => {
      wire?.close()
      await shared.close()
      await two.close()
    })

    const [stays, moved] = [() => 'first', (id: string) => (id === guestNic ? 'second' : 'first')]
    const stateAt = async ({ host, sledId }: SharedHost) => (await host.inspect(web, sledId))?.state ?? null
    const reach = (at: SharedHost, state: string | null) =>
      vi.waitFor(async () => expect(await stateAt(at)).toBe(state), patient)

    /** Asks both hosts, as a server does. */
    async function move(
      id: string,
      [from, to]: [SharedHost, SharedHost],
      { kernel, sledId }: TestHost,
      cut?: Cut,
    ) {
      // Hosts of the test have all devices in one namespace, so that the second one needs its network first.
      const { interfaces, ...network } = networkWith(++version)
      const own = interfaces.filter(({ id }) => id === guestNic || sledId === 'first')
      await kernel.set({ ...network, interfaces: own })
      const migration = { id, to: to.sledId, spec: { ...spec, sledId: from.sledId } }
      const at = await to.host.receive?.(web, migration)
      if (!at) throw new Error('the host takes no machines')
      wire = cut && (await cutWire(at.port, cut))
      await from.host.migrate(web, { ...migration, at: { ...at, port: wire?.port ?? at.port } })
    }

    it('moves with its network, and its connections go on', async ({ skip }) => {
      const kernel = buildGuest()
      if (!kernel) return skip(lacks(noGuest))
      const [first, second] = two.hosts
      one = await shared.open('one', { arrivals, kernel, network: first.kernel })
      other = await shared.open('two', { arrivals, kernel, network: second.kernel })
      expect((await one.host.hardware()).sleds[0]).toMatchObject({ tunnelAddress: first.address })
      const network = networkWith(++version)
      await two.set(network, stays)
      const nics = [{ id: guestNic, mac: network.interfaces[0]?.mac ?? '', slot: 0 }]
      spec = smallSpec(one.sledId, [{ id: randomUUID(), hasBytes: false }], { nics })
      await one.host.ensure(web, spec)
      await reach(one, 'running')
      const guest = await openShell(one.host, { id: web, sledId: one.sledId })
      await guest.type('ip link set eth0 up; udhcpc -i eth0 -n -q -t 20 -T 1')
      await guest.type('(nc -ll -p 80 -e cat &) ; :')
      const peer = first.zone(peerNic)
      const talk = spawn('nsenter', [`--net=/run/netns/${peer}`, 'python3', script, 'talk', guestIp, '80'])
      const answers = createInterface(talk.stdout)[Symbol.asyncIterator]()
      const says = async (word: string) => {
        talk.stdin.write(`${word}\n`)
        return (await answers.next()).value
      }
      expect(await says('before')).toBe('before')

      await move('there', [one, other], two.hosts[1])
      await reach(other, 'running')
      await reach(one, null)
      await two.set(networkWith(++version), moved)
      expect(await says('after')).toBe('after')
      expect(await inside(peer, ['python3', script, 'echo', guestIp, '8'])).toBe('answered\n')

      // The connection breaks while memory is sent: the machine stays, and can be sent again.
      await move('broken', [other, one], two.hosts[0], { there: 1_000_000 })
      await vi.waitFor(
        async () => expect((await other.host.inspect(web, other.sledId))?.failedMigration?.id).toBe('broken'),
        patient,
      )
      await two.set(networkWith(++version), moved)
      expect(await says('still')).toBe('still')
      await move('back', [other, one], two.hosts[0])
      await reach(one, 'running')
      await reach(other, null)
      await two.set(networkWith(++version), stays)
      expect(await says('back')).toBe('back')
      talk.kill()
      guest.close()
    })
  },
)

/** A database that was restored from a backup while hosts went on. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { insertRows } from '#/db/prepared.ts'
import { tables } from '#/db/schema.ts'
import type { Tables } from '#/db/tables.ts'
import { DrivenElsewhere, type SledDriver } from '#/ports.ts'
import { altered, instancesOf, rowOf, swift } from '#/testing/machines.ts'
import { inDb } from '#/testing/networks/networks.ts'
import { disorder } from '#/testing/state.ts'
import { openWorld, type TestWorld } from '#/testing/world.ts'
import { leaseOf } from './host-epochs.ts'

let w: TestWorld
beforeEach(async () => {
  w = await openWorld({ timings: swift, lookMs: 3_000, rack: { sleds: 2, switches: 0 } })
})
afterEach(async () => {
  expect(w.errors).toEqual([])
  expect(await disorder(w)).toEqual([])
  await w.close()
})

const second = 1_000
const query = { project: 'demo', vpc: 'default' }
const newer = 'a host knew a newer server than the database: it was restored, or moved'
const withRows = tables.filter((one) => !one.startsWith('audit'))

/** Reads all rows. Returns a function that puts them back. */
async function backUp() {
  const kept = await inDb(w, async (tx) => {
    const all: [(typeof withRows)[number], Tables['silo'][]][] = []
    for (const table of withRows)
      all.push([
        table,
        await tx
          .selectFrom(table as 'silo')
          .selectAll()
          .execute(),
      ])
    return all
  })
  return () =>
    inDb(w, async (tx) => {
      // The words by which a row is found go with it.
      for (const [table] of kept) await tx.deleteFrom(table as 'silo').execute()
      for (const [table, rows] of kept) await insertRows(tx, table as 'silo', rows)
    })
}

/** Another server that has started; its warnings are collected. */
async function started(driver = w.sleds.asServer(), more: object = {}) {
  const warnings: string[] = []
  const warn = (_: object, text: string) => void warnings.push(text)
  const server = await w.another(driver, { log: { ...w.world.log, warn }, ...more })
  return { ...server, driver, warnings, vm: instancesOf({ ...w, as: server.as }) }
}

async function admits({ as }: Pick<TestWorld, 'as'>, instance: string) {
  const { items } = await as('collaborator').instanceNetworkInterfaceList({
    query: { project: 'demo', instance },
  })
  const { id = '', ip = '' } = items[0] ?? {}
  return w.sleds.admits(id, {
    source: '198.51.100.1',
    destination: ip,
    protocol: { type: 'tcp', port: 22 },
  })
}

/** All machines of the hosts with their boots. */
async function machines() {
  const { sleds } = await w.sleds.hardware()
  const all = await Promise.all(sleds.map(({ id }) => w.sleds.machines(id)))
  return all.flat().map(({ id, boot }) => [id, boot])
}

const epochs = async () => {
  const rows = await inDb(w, (tx) => tx.selectFrom('lease').select(['name', 'epoch']).execute())
  return new Map(rows.map(({ name, epoch }) => [name, epoch]))
}

describe('hosts that have served another time', () => {
  it('obey the servers of the restored database, and end what it does not know', async () => {
    // A machine comes back where it was.
    const [early = '', ...others] = await w.sleds.hosts()
    for (const sledId of others)
      await w.as('fleetAdmin').sledSetProvisionPolicy({
        params: { sledId },
        body: { state: 'non_provisionable' },
      })
    const first = await started()
    await w.plane.loops.stop()
    await first.vm.create('web', { start: true })
    await first.vm.create('idle')
    await w.advance(2 * second)
    const restore = await backUp()
    const changeRules = ({ as }: typeof first) =>
      as('projectCollaborator').vpcFirewallRulesUpdate({ query, body: { rules: [] } })
    await changeRules(first)
    await first.vm.stop('web')
    await first.vm.start('idle')
    await w.advance(2 * second)
    await first.vm.start('web')
    await first.vm.create('late', { start: true })
    await w.advance(2 * second)
    expect([await admits(first, 'web'), (await machines()).length]).toEqual([false, 3])
    // Each start takes the hosts in a newer epoch.
    await first.plane.loops.stop()
    const last = await started()
    await last.plane.loops.stop()
    const known = await epochs()
    await restore()
    await w.clock.advance(second)
    // The clock of the other time was ahead on some hosts.
    const ahead = w.clock.now() + 60 * second
    await last.driver.hold(early, ahead)
    const after = await started()
    await w.advance(40 * second)
    const web = await rowOf(w, 'web')
    expect([web.runState, (await rowOf(w, 'idle')).runState]).toEqual(['running', 'stopped'])
    expect(await machines()).toEqual([[web.id, web.boot]])
    expect(await admits(after, 'web')).toBe(true)
    await changeRules(after)
    await w.settle()
    expect(await admits(after, 'web')).toBe(false)
    const now = await epochs()
    expect(now.get(leaseOf(early))).toBe(ahead + 1)
    for (const name of others.map(leaseOf)) expect(now.get(name)).toBeGreaterThan(known.get(name) ?? Infinity)
    expect(after.warnings.filter((one) => one === newer)).toHaveLength(1)
    // A server of the other time is refused.
    for (const sledId of [early, ...others])
      await expect(last.driver.remove(web.id, sledId, web.boot)).rejects.toMatchObject({
        name: 'DrivenElsewhere',
      })
  })

  it('obey a server that has the database for itself, as after a move to the embedded one', async () => {
    const former = w.sleds.asServer()
    const hosts = await w.sleds.hosts()
    for (const id of hosts) await former.hold(id, w.clock.now() + 60 * second)
    await w.plane.loops.stop()
    const driver = altered(w.sleds.asServer(), { setJoined: () => undefined, isInside: () => false })
    const only = await started(driver, { lookMs: undefined })
    await only.vm.create('web', { start: true })
    await w.advance(10 * second)
    expect((await rowOf(w, 'web')).runState).toBe('running')
    expect(only.warnings.filter((one) => one === newer)).toHaveLength(hosts.length)
    await only.plane.loops.stop()
    // It knows the epochs from then on.
    const again = await started(
      altered(w.sleds.asServer(), { setJoined: () => undefined, isInside: () => false }),
      { lookMs: undefined },
    )
    await again.vm.stop('web')
    await w.advance(10 * second)
    expect((await rowOf(w, 'web')).runState).toBe('stopped')
    expect(again.warnings).not.toContain(newer)
    await again.plane.loops.stop()
  })
})

describe('a host that lies', () => {
  /** The only server, whose first host answers `hold` as given. */
  async function lying(hold: SledDriver['hold']) {
    const caller = w.sleds.asServer()
    const [liar = ''] = await w.sleds.hosts()
    const lines: string[] = []
    const write = (fields: { sledIds?: string[]; sled?: string }, text: string) =>
      void ([...(fields.sledIds ?? []), fields.sled].includes(liar) && lines.push(text))
    await w.plane.loops.stop()
    const { plane } = await w.another(
      altered(caller, { hold: (id, epoch) => (id === liar ? hold(id, epoch) : caller.hold(id, epoch)) }),
      { log: { ...w.world.log, info: write, warn: write, error: write } },
    )
    return { plane, lines, epoch: async () => (await epochs()).get(leaseOf(liar)) ?? 0 }
  }
  const refusal = (known: number) => Promise.reject(new DrivenElsewhere('another', known))
  const drives = 'this server drives hosts from now on'

  it('about newer servers, always, costs an attempt for each pause', async () => {
    let [calls, isLying] = [0, true]
    const given = new Set<number>()
    const { lines, epoch, plane } = await lying((_, announced) => {
      calls++
      given.add(announced)
      return isLying ? refusal(announced + 1) : Promise.resolve()
    })
    const rounds = 60
    for (let i = 0; i < rounds; i++) await w.clock.advance(second)
    await plane.loops.settled()
    // The pauses are of 1, 2, 4, 8, 16 and 32 seconds.
    expect(given.size).toBeLessThanOrEqual(8)
    expect(calls).toBeLessThanOrEqual(2 * rounds)
    expect(Math.max(...given)).toBe(await epoch())
    expect(lines.filter((one) => one === newer)).toHaveLength(1)
    expect(lines.filter((one) => one === drives)).toHaveLength(0)
    isLying = false
    for (let i = 0; i < 3; i++) await w.clock.advance(second)
    expect(lines.filter((one) => one === drives)).toHaveLength(1)
  })

  it('about an epoch of the far future is not followed', async () => {
    const { lines, epoch } = await lying(() => refusal(w.clock.now() + 48 * 3_600_000))
    for (let i = 0; i < 5; i++) await w.clock.advance(second)
    expect(await epoch()).toBeLessThanOrEqual(w.clock.now())
    expect(lines.filter((one) => one !== drives)).toEqual(['a host does not know which server drives it'])
  })

  it('about newer boots of a stopped instance changes its row once', async () => {
    await instancesOf(w).create('web')
    const { id, boot } = await rowOf(w, 'web')
    const [liar = ''] = await w.sleds.hosts()
    let [claimed, calls] = [boot, 0]
    const caller = w.sleds.asServer()
    await w.plane.loops.stop()
    await started(
      altered(caller, {
        machines: (sledId) => {
          if (sledId !== liar) return caller.machines(sledId)
          calls++
          return Promise.resolve([{ id, boot: (claimed += 10), state: 'running' as const }])
        },
      }),
    )
    for (let i = 0; i < 4; i++) await w.advance(60 * second)
    expect(calls).toBeGreaterThan(3)
    expect((await rowOf(w, 'web')).boot).toBe(boot + 10 + 1)
  })
})

/**
 * Writes what the hosts report into the rows of hardware. What a report leaves out is missing since then, if the report concludes
 * on its host; no row is ever deleted.
 */
import { batches } from '#/db/batches.ts'
import { insertRows } from '#/db/prepared.ts'
import type { Tables, Tx } from '#/db/tables.ts'
import type { DiskInfo, Hardware, PortInfo, SwitchInfo } from '#/ports.ts'
import { recordHosts, withoutForgotten } from './hosts.ts'
import { recordComponents } from '../updates/components.ts'
import { hundredths, neverPushed, notInMaintenance } from './details.ts'

/** Writes a report of everything that answers. */
export async function record(tx: Tx, all: Hardware, now: number): Promise<void> {
  const report = await withoutForgotten(tx, all, now)
  const spared = await sparedBy(tx, report)
  const seen = { timeReported: now, missingSince: null }
  const times = { timeCreated: now, timeModified: now }
  const found = { ...times, policy: 'in_service', state: 'active' } as const
  await reconcile({ tx, table: 'rack', now, spared }, report.racks, (rack, row) => ({
    ...times,
    ...row,
    ...rack,
    ...seen,
  }))
  const free = {
    provisionPolicy: 'provisionable',
    usedThreads: 0,
    usedMemory: 0,
    ...notInMaintenance,
  } as const
  await recordHosts(tx, report, now)
  await reconcile({ tx, table: 'sled', now, spared }, report.sleds, (sled, row) => ({
    ...found,
    ...free,
    hostId: sled.hostId ?? null,
    ...row,
    ...ofSled(sled),
    ...seen,
  }))
  await reconcile({ tx, table: 'physicalDisk', now, spared }, report.disks, (disk, row) => ({
    ...found,
    ...row,
    ...ofDisk(disk),
    unhealthySince: disk.health === 'ok' ? null : (row?.unhealthySince ?? now),
    ...seen,
  }))
  await reconcile({ tx, table: 'switch', now, spared }, report.switches, (one, row) => ({
    ...times,
    ...neverPushed,
    hostId: one.hostId ?? null,
    ...row,
    ...ofSwitch(one),
    ...seen,
  }))
  const switches = new Map(report.switches.map((one) => [one.id, one]))
  const ports = report.ports.flatMap((port) => {
    const on = switches.get(port.switchId)
    return on ? [{ ...port, on }] : []
  })
  await reconcile(
    { tx, table: 'switchPort', now, spared },
    await withOwnNames(tx, ports),
    ({ on, ...port }, row) => ({
      portSettingsId: null,
      ...row,
      ...ofPort(port, on),
      linkSince: port.state === (row?.linkState ?? 'down') ? (row?.linkSince ?? null) : now,
      ...seen,
    }),
  )
  await replaceUninitialized(tx, report)
  await recordComponents(tx, report, { now, spared })
  await recordLoad(tx, report, now)
}

interface NamedPort extends PortInfo {
  on: SwitchInfo
}

/** The ports whose place and name no other one has: both are what a host says. */
async function withOwnNames(tx: Tx, ports: readonly NamedPort[]): Promise<NamedPort[]> {
  const rows = await tx.selectFrom('switchPort').select(['id', 'rackId', 'switchLocation', 'name']).execute()
  const taken = new Map(
    rows.map((row) => [JSON.stringify([row.rackId, row.switchLocation, row.name]), row.id]),
  )
  return ports.filter(({ id, name, on }) => {
    const key = JSON.stringify([on.rackId, on.location, name])
    if (!taken.has(key)) taken.set(key, id)
    return taken.get(key) === id
  })
}

const slotMs = 600_000
/** The load is kept for 31 days. */
const loadMs = 31 * 24 * 3_600_000

/** Keeps the latest load of each slot of time. */
async function recordLoad(tx: Tx, { sleds }: Hardware, now: number): Promise<void> {
  const at = now - (now % slotMs)
  const loads = sleds.flatMap(({ id: sledId, load }) =>
    load
      ? [{ sledId, at, threads: hundredths(load.threads), memory: load.memory, storage: load.storage }]
      : [],
  )
  if (loads.length === 0) return
  await tx
    .insertInto('sledLoad')
    .values(loads)
    .onConflict((on) =>
      on.columns(['sledId', 'at']).doUpdateSet((eb) => ({
        threads: eb.ref('excluded.threads'),
        memory: eb.ref('excluded.memory'),
        storage: eb.ref('excluded.storage'),
      })),
    )
    .execute()
  const reported = loads.map(({ sledId }) => sledId)
  await tx
    .deleteFrom('sledLoad')
    .where('sledId', 'in', reported)
    .where('at', '<', now - loadMs)
    .execute()
}

type Reported = 'rack' | 'sled' | 'physicalDisk' | 'switch' | 'switchPort'

/**
 * Writes the rows of one table: `rowOf` makes that of a report and the row of before. Expunged hardware stays as it is.
 * A round in which only the time has passed is one statement.
 */
async function reconcile<T extends Reported, Info extends { id: string }>(
  { now, spared, ...of }: { tx: Tx; table: T; now: number; spared: ReadonlySet<string> },
  reported: readonly Info[],
  rowOf: (info: Info, before: Tables[T] | undefined) => Tables[T],
): Promise<void> {
  const before = new Map((await rowsIn(of)).map((row) => [row.id, row]))
  const added: Tables[T][] = []
  const same: string[] = []
  for (const info of reported) {
    const row = before.get(info.id)
    before.delete(info.id)
    if (isExpunged(row)) continue
    const after = rowOf(info, row)
    if (!row) added.push(after)
    else if (isSame(row, after)) same.push(row.id)
    else await update(of, [row.id], after)
  }
  await insertRows(of.tx, of.table, added)
  await update(of, same, { timeReported: now })
  const missing = [...before.values()].filter(
    (row) => row.missingSince === null && !isExpunged(row) && !isSpared(row, spared),
  )
  await update(
    of,
    missing.map(({ id }) => id),
    { missingSince: now },
  )
}

/**
 * The sleds and switches of which a report does not conclude that they are missing if it leaves them out, and the racks
 * that they are in.
 */
async function sparedBy(tx: Tx, { concludesOn }: Hardware): Promise<ReadonlySet<string>> {
  const spared = new Set<string>()
  if (!concludesOn) return spared
  const sleds = await tx.selectFrom('sled').select(['id', 'hostId', 'rackId']).execute()
  const switches = await tx.selectFrom('switch').select(['id', 'hostId', 'rackId']).execute()
  for (const { id, hostId, rackId } of [...sleds, ...switches])
    if (!concludesOn(hostId)) spared.add(id).add(rackId)
  return spared
}

/** True for what is spared, and for the parts of it. */
function isSpared(row: { id: string }, spared: ReadonlySet<string>): boolean {
  const { id, sledId, switchId }: { id: string; sledId?: string; switchId?: string } = row
  return [id, sledId, switchId].some((one) => one !== undefined && spared.has(one))
}

/** True if the rows differ at most in the time of the report. */
const isSame = <Row extends { timeReported: number | null }>(before: Row, after: Row): boolean => {
  const values = new Map(Object.entries(before))
  return Object.entries(after).every(([name, value]) => name === 'timeReported' || values.get(name) === value)
}

const isExpunged = (row: object | undefined): boolean =>
  row !== undefined && 'policy' in row && row.policy === 'expunged'

// The builder takes the rows of a table in a variable for those of racks.
const rowsIn = async <T extends Reported>({ tx, table }: { tx: Tx; table: T }): Promise<Tables[T][]> =>
  (await tx
    .selectFrom(table as 'rack')
    .selectAll()
    .execute()) as object[] as Tables[T][]

const idsInOneUpdate = 500

async function update(
  { tx, table }: { tx: Tx; table: Reported },
  ids: readonly string[],
  values: Partial<Pick<Tables[Reported], 'timeReported' | 'missingSince'>>,
): Promise<void> {
  for (const some of batches(ids, idsInOneUpdate))
    await tx
      .updateTable(table as 'rack')
      .set(values)
      .where('id', 'in', some)
      .execute()
}

function ofSled({
  id,
  serial,
  part,
  revision,
  rackId,
  cpuFamily,
  hostId: _,
  ...info
}: Hardware['sleds'][number]) {
  const { usableHardwareThreads, usablePhysicalRam, reservoirSize, ...details } = info
  return {
    id,
    serial,
    part,
    revision,
    rackId,
    cpuFamily,
    usableHardwareThreads,
    usablePhysicalRam,
    reservoirSize,
    hostJson: JSON.stringify(details),
  }
}

const ofDisk = ({ wear, temperature, ...disk }: DiskInfo) => ({
  ...disk,
  wear: hundredths(wear),
  temperature: hundredths(temperature),
})

const ofSwitch = ({ temperature, hostId: _, ...info }: Hardware['switches'][number]) => ({
  ...info,
  temperature: hundredths(temperature),
})

const ofPort = ({ id, switchId, name, state, speed, transceiver }: PortInfo, on: SwitchInfo) => ({
  id,
  switchId,
  name,
  speed,
  rackId: on.rackId,
  switchLocation: on.location,
  linkState: state,
  transceiverJson: transceiver && JSON.stringify(transceiver),
})

async function replaceUninitialized(tx: Tx, { uninitialized, sleds, concludesOn }: Hardware): Promise<void> {
  if (concludesOn?.(null) === false) return withoutAdded(tx, sleds)
  await tx.deleteFrom('uninitializedSled').execute()
  await insertRows(
    tx,
    'uninitializedSled',
    uninitialized.map(({ part, serial, revision, rackId, cubby }) => ({
      part,
      serial,
      revision,
      rackId,
      cubby,
    })),
  )
}

/** Sleds that have become part of the system wait no longer. */
async function withoutAdded(tx: Tx, sleds: Hardware['sleds']): Promise<void> {
  for (const { part, serial } of sleds)
    await tx.deleteFrom('uninitializedSled').where('part', '=', part).where('serial', '=', serial).execute()
}

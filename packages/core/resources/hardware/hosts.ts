/** Hosts that have joined: their list, their state as the servers see it, and how one is forgotten. */
import { permit, resolveInFleet } from '#/auth/resolve.ts'
import type { Ctx, Family } from '#/context.ts'
import { mapPage, pageById } from '#/db/lists/pages.ts'
import type { HostTable, SledTable, Tx } from '#/db/tables.ts'
import { fault } from '#/faults.ts'
import type { Hardware, JoinedHosts } from '#/ports.ts'
import { deleteRow } from '../kind/rows.ts'
import { detailsOf, timesOf } from './details.ts'
import { sledsInService } from './sled-rows.ts'

type SledOfHost = Pick<SledTable, 'id' | 'hostId' | 'hostJson'>

/** Where a host is, and whether it answers. */
const whereabouts = (row: HostTable) => ({
  id: row.id,
  address: row.address,
  port: row.port,
  state: row.state,
  timeStateChanged: new Date(row.timeStateChanged),
})

const versionOf = (sleds: readonly SledOfHost[]) =>
  sleds.map((sled) => detailsOf(sled)?.version).find((version) => version !== undefined)

function view(row: HostTable, sleds: readonly SledOfHost[]) {
  const version = versionOf(sleds)
  return {
    ...whereabouts(row),
    fingerprint: row.fingerprint,
    ...(version === undefined ? {} : { version }),
    sledIds: sleds.map(({ id }) => id),
    ...timesOf(row),
  }
}

export const hosts: Family<`host${'List' | 'View' | 'Delete'}`> = {
  async hostList(ctx, { query }) {
    permit(ctx)
    const page = await pageById(ctx, query, { rows: ctx.tx.selectFrom('host'), table: 'host', holder: '' })
    const sleds = await sledsOf(ctx.tx, page.items)
    return mapPage(page, (row) => view(row, sleds.get(row.id) ?? []))
  },

  async hostView(ctx, { params }) {
    const row = await resolveInFleet(ctx, 'host', params.hostId)
    return view(row, (await sledsOf(ctx.tx, [row])).get(row.id) ?? [])
  },

  async hostDelete(ctx, { params }) {
    const row = await resolveInFleet(ctx, 'host', params.hostId)
    const sled = await sledsInService(ctx.tx)
      .select('serial')
      .where('hostId', '=', row.id)
      .orderBy('serial')
      .executeTakeFirst()
    if (sled)
      throw fault.invalid(`sled "${sled.serial}" of the host is in service: take it out of service first`)
    await deleteRow('host')(ctx, row)
    await remember(ctx, row)
    ctx.wake('hardware')
  },
}

/** The hosts of sleds, by their ids; none for those that are inside of the server, or whose host was forgotten. */
export async function hostsOf(tx: Tx, sleds: readonly Pick<SledTable, 'hostId'>[]) {
  const ids = sleds.flatMap(({ hostId }) => hostId ?? [])
  if (ids.length === 0) return new Map<string, ReturnType<typeof whereabouts>>()
  const rows = await tx.selectFrom('host').selectAll().where('id', 'in', ids).execute()
  return new Map(rows.map((row) => [row.id, whereabouts(row)]))
}

/** The sleds in service, by host. */
async function sledsOf(tx: Tx, rows: readonly HostTable[]): Promise<Map<string, SledOfHost[]>> {
  const found = await sledsInService(tx)
    .select(['id', 'hostId', 'hostJson'])
    .where(
      'hostId',
      'in',
      rows.map(({ id }) => id),
    )
    .orderBy('id')
    .execute()
  return Map.groupBy(found, ({ hostId }) => hostId ?? '')
}

/** The hosts that a driver has to reach; undefined if none has joined and none ever had. */
export async function joinedHosts(tx: Tx): Promise<JoinedHosts | undefined> {
  const authority = await tx.selectFrom('fleetAuthority').selectAll().executeTakeFirst()
  if (!authority) return undefined
  const known = await tx.selectFrom('host').select(['id', 'address', 'port']).orderBy('id').execute()
  const forgotten = await tx
    .selectFrom('forgottenHost')
    .select(['id', 'address', 'port'])
    .orderBy('id')
    .execute()
  const hosts = [...known, ...forgotten.map((host) => ({ ...host, isForgotten: true }))]
  const sleds = await tx
    .selectFrom('sled')
    .select(['id', 'hostId', 'hostJson', 'rackId'])
    // Sleds inside of the server come first if they were recorded at the same time.
    .orderBy('timeCreated')
    .orderBy((eb) => eb('hostId', 'is not', null))
    .orderBy('id')
    .execute()
  const switches = await tx.selectFrom('switch').select(['id', 'hostId']).execute()
  const reached = new Set<string | null>([null, ...hosts.map(({ id }) => id)])
  // The hardware of a host that was forgotten may come back with another one.
  const units = [...sleds, ...switches].filter(({ hostId }) => reached.has(hostId))
  const places = new Map(units.map(({ id, hostId }) => [id, hostId]))
  for (const { id, of } of await partsOf(tx)) {
    const hostId = places.get(of)
    if (hostId !== undefined) places.set(id, hostId)
  }
  const present = new Set<string | null>([null, ...known.map(({ id }) => id)])
  for (const { rackId, hostId } of sleds)
    if (present.has(hostId) && !places.has(rackId)) places.set(rackId, hostId)
  const simulated = sleds.filter((row) => detailsOf(row)?.accelerator === 'simulated')
  return {
    authority: { cert: authority.certPem, key: authority.keyPem },
    hosts,
    places,
    simulated: new Set(simulated.map(({ id }) => id)),
  }
}

/** Disks, ports and components, each with the sled or switch that it is part of. */
async function partsOf(tx: Tx): Promise<{ id: string; of: string }[]> {
  const disks = await tx.selectFrom('physicalDisk').select(['id', 'sledId as of']).execute()
  const ports = await tx.selectFrom('switchPort').select(['id', 'switchId as of']).execute()
  const components = await tx.selectFrom('updateComponent').select(['id', 'unitId as of']).execute()
  return [...disks, ...ports, ...components]
}

/** A host that returns much later than this is one that was never forgotten, or has another address. */
const rememberedMs = 90 * 24 * 3_600_000

/** Servers reach a host that has had sleds until it has ended their machines: it may be silent, and alive. */
async function remember({ tx, now }: Ctx, { id, address, port }: HostTable): Promise<void> {
  const sled = await tx.selectFrom('sled').select('id').where('hostId', '=', id).executeTakeFirst()
  if (sled) await tx.insertInto('forgottenHost').values({ id, address, port, timeForgotten: now }).execute()
}

/**
 * The report less the forgotten hosts, which are forgotten for good once they answer without a sled that is to be dropped.
 */
export async function withoutForgotten(tx: Tx, report: Hardware, now: number): Promise<Hardware> {
  const rows = await tx.selectFrom('forgottenHost').select(['id', 'timeForgotten']).execute()
  if (rows.length === 0) return report
  const expunged = await tx.selectFrom('sled').select('id').where('policy', '=', 'expunged').execute()
  const gone = new Set(expunged.map(({ id }) => id))
  const hasGone = new Set(report.sleds.flatMap(({ id, hostId }) => (gone.has(id) ? [hostId] : [])))
  const isDone = ({ id, timeForgotten }: (typeof rows)[number]): boolean =>
    (report.hosts?.includes(id) === true && !hasGone.has(id)) || timeForgotten < now - rememberedMs
  for (const { id } of rows.filter(isDone))
    await tx.deleteFrom('forgottenHost').where('id', '=', id).execute()
  const ids = new Set(rows.map(({ id }) => id))
  return partOf(report, (hostId) => hostId === null || !ids.has(hostId))
}

/** The part of a report that some hosts have. */
export function partOf(report: Hardware, isKept: (hostId: string | null) => boolean): Hardware {
  const isOfKept = ({ hostId }: { hostId?: string | null }): boolean => isKept(hostId ?? null)
  const sleds = report.sleds.filter(isOfKept)
  const switches = report.switches.filter(isOfKept)
  const ids = new Set([...sleds, ...switches].map(({ id }) => id))
  return {
    ...report,
    sleds,
    switches,
    disks: report.disks.filter(({ sledId }) => ids.has(sledId)),
    ports: report.ports.filter(({ switchId }) => ids.has(switchId)),
    components: report.components.filter(({ sledId, switchId }) => ids.has(sledId ?? switchId ?? '')),
  }
}

/** The part of a report that says only that hosts answer, not that others do not. */
export const partThatAnswers = (report: Hardware, isKept: (hostId: string | null) => boolean): Hardware => ({
  ...partOf(report, isKept),
  concludesOn: () => false,
})

/** The part of a report that says all of some hosts, and nothing of others. */
export const recordedPart = (report: Hardware, isKept: (hostId: string | null) => boolean): Hardware => ({
  ...partOf(report, isKept),
  ...(report.hosts && { hosts: report.hosts.filter(isKept) }),
  concludesOn: isKept,
})

/** Records which hosts have begun or ceased to answer. */
export async function recordHosts(tx: Tx, { hosts: up, concludesOn }: Hardware, now: number): Promise<void> {
  if (!up) return
  for (const { id, state } of await tx.selectFrom('host').select(['id', 'state']).execute()) {
    const next = up.includes(id) ? 'up' : 'silent'
    if (next === state || (next === 'silent' && concludesOn?.(id) === false)) continue
    const set = { state: next, timeStateChanged: now } as const
    await tx.updateTable('host').set(set).where('id', '=', id).execute()
  }
}

/** Sleds: the hosts that run instances. */
import type { Ctx, Family } from '#/context.ts'
import { permit, resolveInFleet } from '#/auth/resolve.ts'
import { noteChanges, noteMade } from '#/audit/touched.ts'
import { mapPage, pageByColumn, pageById } from '#/db/lists/pages.ts'
import type { InstanceTable, SledTable, Tx } from '#/db/tables.ts'
import { fault } from '#/faults.ts'
import { beginMove } from '../instances/move.ts'
import type { NamedInstance } from '../instances/view.ts'
import { updateUnnamed } from '../kind/rows.ts'
import { capacityOf, type Capacity } from './capacity.ts'
import { maintenanceOf, refuseExpunged } from './maintenance/maintenance.ts'
import { detailsOf, seenOf, timesOf } from './details.ts'
import { hostLeasesOf } from './host-leases.ts'
import { hostsOf, partThatAnswers } from './hosts.ts'
import { reachHosts, requireReach } from './reach.ts'
import { record } from './record.ts'
import { instancesWithNames, sledsInService } from './sled-rows.ts'

/** Facts from other rows, of several sleds. */
interface Around {
  capacity: Map<string, Capacity>
  maintenance: Awaited<ReturnType<typeof maintenanceOf>>
  hosts: Awaited<ReturnType<typeof hostsOf>>
}

const around = async (tx: Tx, rows: readonly SledTable[]): Promise<Around> => ({
  capacity: await capacityOf(tx, rows),
  maintenance: await maintenanceOf(tx, rows),
  hosts: await hostsOf(tx, rows),
})

function view(row: SledTable, { hosts, ...of }: Around) {
  const capacity = of.capacity.get(row.id)
  // One that was forgotten has no row.
  const joinedHost = row.hostId === null ? null : hosts.get(row.hostId)
  const { id, rackId, part, serial, revision, usableHardwareThreads, usablePhysicalRam } = row
  return {
    id,
    rackId,
    usableHardwareThreads,
    usablePhysicalRam,
    baseboard: { part, serial, revision },
    policy:
      row.policy === 'expunged'
        ? { kind: 'expunged' as const }
        : { kind: 'in_service' as const, provisionPolicy: row.provisionPolicy },
    state: row.state ?? ('active' as const),
    host: hostOf(row),
    ...(joinedHost === undefined ? {} : { joinedHost }),
    ...(capacity ? { capacity } : {}),
    maintenance: of.maintenance.get(row.id) ?? null,
    maintenanceTaskId: row.maintenanceTaskId,
    ...timesOf(row),
    ...seenOf(row),
  }
}

function hostOf(row: SledTable) {
  const details = detailsOf(row)
  if (!details) return null
  const { load: _load, sharedStorage: _shared, ...host } = details
  return { ...host, cpuFamily: row.cpuFamily }
}

/** A sled as clients see it. */
export async function sledView(tx: Tx, row: SledTable) {
  return view(row, await around(tx, [row]))
}

/** The sled that the operation is about. Throws 403, 404. */
const sledOf = (ctx: Ctx, { sledId }: { sledId: string }): Promise<SledTable> =>
  resolveInFleet(ctx, 'sled', sledId)

type OfSleds = `sled${'List' | 'View' | 'Add' | 'ListUninitialized' | 'SetProvisionPolicy' | 'InstanceList'}`
export const sleds: Family<OfSleds | 'instanceMove'> = {
  async sledList(ctx, { query }) {
    permit(ctx)
    const page = await pageById(ctx, query, { rows: sledsInService(ctx.tx), table: 'sled', holder: '' })
    const facts = await around(ctx.tx, page.items)
    return mapPage(page, (row) => view(row, facts))
  },

  async sledView(ctx, { params }) {
    return sledView(ctx.tx, await sledOf(ctx, params))
  },

  async sledListUninitialized(ctx, { query }) {
    permit(ctx)
    const rows = ctx.tx.selectFrom('uninitializedSled')
    const page = await pageByColumn(ctx, query, {
      rows,
      table: 'uninitializedSled',
      column: 'serial',
      holder: '',
    })
    return mapPage(page, ({ part, serial, revision, rackId, cubby }) => ({
      baseboard: { part, serial, revision },
      rackId,
      cubby,
    }))
  },

  async sledSetProvisionPolicy(ctx, { params, body }) {
    const sled = await sledOf(ctx, params)
    refuseExpunged(sled)
    if (sled.maintenanceSince !== null && body.state === 'provisionable')
      throw fault.invalid('the sled is in maintenance: end that first')
    const changed = body.state !== sled.provisionPolicy
    if (changed) {
      await updateUnnamed(ctx, ['sled', sled], { provisionPolicy: body.state, timeModified: ctx.now })
      // Declared, it would also be the change that the entry of a maintenance tells.
      const change = { field: 'provision_policy', before: sled.provisionPolicy, after: body.state }
      noteChanges(ctx.unit, ['sled', sled], [change])
    }
    return { oldState: sled.provisionPolicy, newState: body.state }
  },

  async instanceMove(ctx, { params, query }) {
    const row = await resolveInFleet(ctx, 'instance', params.instance)
    await beginMove(ctx, row, { orStop: query.orStop ?? false })
    const moved = await instancesWithNames(ctx.tx)
      .where('instance.id', '=', row.id)
      .selectAll('instance')
      .executeTakeFirstOrThrow()
    return instanceView(moved)
  },

  async sledInstanceList(ctx, { params, query }) {
    const sled = await sledOf(ctx, params)
    const rows = instancesWithNames(ctx.tx).where('instance.sledId', '=', sled.id)
    const page = await pageById(ctx, query, { rows, table: 'instance', holder: sled.id })
    return mapPage(page, instanceView)
  },

  sledAdd: {
    async withoutTransaction(request, { body }) {
      const { world } = request
      await request.transaction('read', async (ctx) => {
        permit(ctx)
        if (await memberWith(ctx, body)) throw fault.exists('sled', body.serial)
      })
      // Through another server the host may have joined just now.
      await reachHosts(world)
      const isElsewhere = (await world.sleds.isBoardInside?.(body)) === false
      if (!isElsewhere) requireReach(world)
      const added = await world.sleds.addSled(body)
      if (!added) throw fault.notFound('sled', body.serial)
      const all = await world.sleds.hardware()
      // Other servers have other hosts inside of them.
      const isHere = hostLeasesOf(world).has('hardware')
      const report = partThatAnswers(all, (hostId) => hostId !== null || isHere)
      return request.transaction('write', async (ctx) => {
        permit(ctx)
        await record(ctx.tx, report, ctx.now)
        const row = await memberWith(ctx, body)
        if (!row) throw fault.unavailable()
        noteMade(ctx.unit, 'sled', row)
        return { id: row.id }
      })
    },
  },
}

/** The sled in service with this board. */
const memberWith = ({ tx }: Ctx, { serial, part }: { serial: string; part: string }) =>
  sledsInService(tx).selectAll().where('serial', '=', serial).where('part', '=', part).executeTakeFirst()

/** An instance as operators see it. One that has just left its sled has none. */
function instanceView({
  id,
  name,
  runState,
  ncpus,
  memory,
  sledId,
  migrationId,
  ...row
}: NamedInstance & Pick<InstanceTable, 'sledId' | 'migrationId'>) {
  return {
    id,
    name,
    projectName: row.projectName,
    siloName: row.siloName,
    state: runState,
    activeSledId: sledId ?? noSled,
    migrationId,
    ncpus,
    memory,
    ...timesOf(row),
  }
}
const noSled = '00000000-0000-0000-0000-000000000000'

/** Sleds: the hosts that run instances. */
import type { Ctx, Family } from '#/context.ts'
import { permit, resolveInFleet } from '#/auth/resolve.ts'
import { noteMade } from '#/audit/touched.ts'
import { mapPage, pageByColumn, pageById } from '#/db/lists/pages.ts'
import type { SledTable, Tx } from '#/db/tables.ts'
import { fault } from '#/faults.ts'
import { updateUnnamed } from '../kind/rows.ts'
import { capacityOf, type Capacity } from './capacity.ts'
import { detailsOf, seenOf, timesOf } from './details.ts'
import { record } from './record.ts'

function view(row: SledTable, capacity: Capacity | undefined) {
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
    ...(capacity ? { capacity } : {}),
    ...timesOf(row),
    ...seenOf(row),
  }
}

function hostOf(row: SledTable) {
  const details = detailsOf(row)
  if (!details) return null
  const { load: _, ...host } = details
  return { ...host, cpuFamily: row.cpuFamily }
}

/** The sled that the operation is about. Throws 403, 404. */
const sledOf = (ctx: Ctx, { sledId }: { sledId: string }): Promise<SledTable> =>
  resolveInFleet(ctx, 'sled', sledId)

export const sleds: Family<`sled${'List' | 'View' | 'Add' | 'ListUninitialized' | 'SetProvisionPolicy' | 'InstanceList'}`> =
  {
    async sledList(ctx, { query }) {
      permit(ctx)
      const page = await pageById(ctx, query, { rows: inService(ctx.tx), table: 'sled', holder: '' })
      const capacity = await capacityOf(ctx.tx, page.items)
      return mapPage(page, (row) => view(row, capacity.get(row.id)))
    },

    async sledView(ctx, { params }) {
      const row = await sledOf(ctx, params)
      return view(row, (await capacityOf(ctx.tx, [row])).get(row.id))
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
      if (sled.policy === 'expunged')
        throw fault.invalid('the sled is out of service for good: its provision policy cannot be changed')
      const changed = body.state !== sled.provisionPolicy
      if (changed)
        await updateUnnamed(ctx, ['sled', sled], { provisionPolicy: body.state, timeModified: ctx.now })
      return { oldState: sled.provisionPolicy, newState: body.state }
    },

    async sledInstanceList(ctx, { params, query }) {
      const sled = await sledOf(ctx, params)
      const rows = ctx.tx
        .selectFrom('instance')
        .innerJoin('project', 'project.id', 'instance.projectId')
        .innerJoin('silo', 'silo.id', 'project.siloId')
        .where('instance.sledId', '=', sled.id)
        .select(['project.name as projectName', 'silo.name as siloName', 'instance.sledId'])
      const page = await pageById(ctx, query, { rows, table: 'instance', holder: sled.id })
      return mapPage(page, ({ id, name, runState, ncpus, memory, projectName, siloName, ...row }) => ({
        id,
        name,
        ncpus,
        memory,
        projectName,
        siloName,
        state: runState,
        activeSledId: sled.id,
        migrationId: null,
        ...timesOf(row),
      }))
    },

    sledAdd: {
      async withoutTransaction(request, { body }) {
        const { world } = request
        await request.transaction('read', async (ctx) => {
          permit(ctx)
          if (await memberWith(ctx, body)) throw fault.exists('sled', body.serial)
        })
        const added = await world.sleds.addSled(body)
        if (!added) throw fault.notFound('sled', body.serial)
        const report = await world.sleds.hardware()
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
  inService(tx).selectAll().where('serial', '=', serial).where('part', '=', part).executeTakeFirst()

/** The sleds that are part of the system. Those of a version without policies are. */
const inService = (tx: Tx) =>
  tx.selectFrom('sled').where((eb) => eb.or([eb('policy', 'is', null), eb('policy', '=', 'in_service')]))

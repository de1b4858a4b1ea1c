/** Which silos may use an IP pool, and which pool is the default one of a silo. */
import { noteChanges } from '#/audit/touched.ts'
import { resolveInFleet, resolveToRead } from '#/auth/resolve.ts'
import type { Ctx, Family } from '#/context.ts'
import { mapPage, pageByColumn } from '#/db/lists/pages.ts'
import type { IpPoolSiloTable, IpPoolTable, SiloTable } from '#/db/tables.ts'
import { fault } from '#/faults.ts'
import { attachAsDefault, detachAsDefault, detachFromSilo } from './gateway-pools.ts'
import { poolToChange } from './ip-pools.ts'

const view = ({ ipPoolId, siloId, isDefault }: IpPoolSiloTable) => ({
  ipPoolId,
  siloId,
  isDefault: isDefault === 1,
})

export const poolSilos: Family<`ipPoolSilo${'List' | 'Link' | 'Update' | 'Unlink'}`> = {
  async ipPoolSiloList(ctx, { params, query }) {
    const pool = await resolveInFleet(ctx, 'ipPool', params.pool)
    const rows = ctx.tx.selectFrom('ipPoolSilo').where('ipPoolId', '=', pool.id)
    return mapPage(await pageByColumn(ctx, query, { rows, table: 'ipPoolSilo', column: 'siloId' }), view)
  },

  async ipPoolSiloLink(ctx, { params, body }) {
    const pool = await poolToChange(ctx, params)
    const silo = await resolveToRead(ctx, 'silo', { silo: body.silo })
    const made = await link(ctx, { pool, silo }, body.isDefault)
    noteChanges(ctx.unit, ['ipPool', pool], [{ field: 'silo', before: null, after: silo.name }])
    return view(made)
  },

  async ipPoolSiloUpdate(ctx, { params, body }) {
    const ends = await linked(ctx, params)
    const isDefault = body.isDefault ? 1 : 0
    if (ends.link.isDefault !== isDefault) {
      await (isDefault ? makeDefault(ctx, ends) : clearDefault(ctx, ends))
      const { name } = ends.silo
      const change = isDefault ? { before: null, after: name } : { before: name, after: null }
      noteChanges(ctx.unit, ['ipPool', ends.pool], [{ field: 'default_of', ...change }])
    }
    return view({ ...ends.link, isDefault })
  },

  async ipPoolSiloUnlink(ctx, { params }) {
    const { pool, silo } = await linked(ctx, params)
    if (await usesPool(ctx, pool, silo))
      throw fault.invalid('IP addresses from this pool are in use in the linked silo')
    await detachFromSilo(ctx, { pool, siloId: silo.id })
    await linkOf(ctx, pool, silo).delete.execute()
    noteChanges(ctx.unit, ['ipPool', pool], [{ field: 'silo', before: silo.name, after: null }])
  },
}

interface Ends {
  pool: IpPoolTable
  silo: SiloTable
}

/** A pool and a silo that are linked. Throws 403, 404. */
async function linked(
  ctx: Ctx,
  params: { pool: string; silo: string },
): Promise<Ends & { link: IpPoolSiloTable }> {
  const pool = await poolToChange(ctx, params)
  const silo = await resolveToRead(ctx, 'silo', { silo: params.silo })
  const link = await linkOf(ctx, pool, silo).find.executeTakeFirst()
  if (!link) throw fault.notLinked(pool.id, silo.id)
  return { pool, silo, link }
}

const linkOf = ({ tx }: Ctx, pool: IpPoolTable, silo: SiloTable) => ({
  find: tx.selectFrom('ipPoolSilo').selectAll().where('ipPoolId', '=', pool.id).where('siloId', '=', silo.id),
  delete: tx.deleteFrom('ipPoolSilo').where('ipPoolId', '=', pool.id).where('siloId', '=', silo.id),
})

/** Throws 400 if they are linked, or if the silo has another default pool. */
async function link(ctx: Ctx, { pool, silo }: Ends, isDefault: boolean): Promise<IpPoolSiloTable> {
  if (await linkOf(ctx, pool, silo).find.executeTakeFirst())
    throw fault.exists('ip-pool-resource', `${pool.name} in ${silo.name}`)
  if (isDefault && (await defaultOf(ctx, silo)))
    throw fault.exists('ip-pool-resource', `default of ${silo.name}`)
  const row = { ipPoolId: pool.id, siloId: silo.id, isDefault: isDefault ? 1 : 0 }
  await ctx.tx.insertInto('ipPoolSilo').values(row).execute()
  if (isDefault) await attachAsDefault(ctx, { pool, siloId: silo.id })
  return row
}

const defaultOf = ({ tx }: Ctx, silo: SiloTable): Promise<IpPoolSiloTable | undefined> =>
  tx
    .selectFrom('ipPoolSilo')
    .selectAll()
    .where('siloId', '=', silo.id)
    .where('isDefault', '=', 1)
    .executeTakeFirst()

/** Makes a linked pool the default one, which the former one is no longer. */
async function makeDefault(ctx: Ctx, { pool, silo }: Ends): Promise<void> {
  const former = await defaultOf(ctx, silo)
  if (former) await clearDefault(ctx, { pool: { id: former.ipPoolId }, silo })
  await setDefault(ctx, { pool, silo }, 1)
  await attachAsDefault(ctx, { pool, siloId: silo.id })
}

async function clearDefault(
  ctx: Ctx,
  { pool, silo }: { pool: { id: string }; silo: SiloTable },
): Promise<void> {
  await setDefault(ctx, { pool, silo }, 0)
  await detachAsDefault(ctx, { pool, siloId: silo.id })
}

const setDefault = (
  { tx }: Ctx,
  { pool, silo }: { pool: { id: string }; silo: SiloTable },
  isDefault: 0 | 1,
) =>
  tx
    .updateTable('ipPoolSilo')
    .set({ isDefault })
    .where('ipPoolId', '=', pool.id)
    .where('siloId', '=', silo.id)
    .execute()

async function usesPool({ tx }: Ctx, pool: IpPoolTable, silo: SiloTable): Promise<boolean> {
  const used = await tx
    .selectFrom('project')
    .innerJoin('externalIp', 'externalIp.projectId', 'project.id')
    .select('externalIp.id')
    .where('project.siloId', '=', silo.id)
    .where('externalIp.ipPoolId', '=', pool.id)
    .limit(1)
    .executeTakeFirst()
  return used !== undefined
}

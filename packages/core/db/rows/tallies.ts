/**
 * The number of resources of each kind in their scope, updated in the transaction that adds or removes one.
 *
 * Resources of a project are counted only in the project's row. The project has a reserve of the silo's limit, which
 * covers its resources. The silo's row counts these reserves, and the resources outside of projects. So the limit of
 * a silo is exact, and projects share a row only when one needs a larger reserve.
 */
import type { Holder } from '@purlin/contract/kinds/kind'
import { counts, holdersOf, type Counts } from '@purlin/contract/rules/counts'
import { kindNames, kinds, type KindName } from '@purlin/contract/rules/kinds'
import { sql } from 'kysely'
import { fault, type Fault } from '#/faults.ts'
import { prepared } from '../prepared.ts'
import type { TallyTable, Tx } from '../tables.ts'

interface Asker {
  tx: Tx
  world: { counts?: Counts }
}
type Row = Partial<Record<`${Holder}Id`, string | null>>
interface Held {
  id: string
  holder: Holder
  most: number
}

/** Counts a row that has been inserted. Throws 507 if it is one too many in its silo, its project, … */
export async function countNew({ tx, world }: Asker, kind: KindName, row: object): Promise<void> {
  const limits = world.counts ?? counts
  for (const held of holdersIn(limits, kind, row)) {
    const { count, reserved } = await add(tx, { kind, holderId: held.id }, 1)
    const has = count > held.most && held.holder === 'silo' ? await gatherIn(tx, kind, held) : count
    if (has > held.most) throw tooMany(kind, held, has - 1)
    const ofSilo = held.holder === 'project' ? mostIn(limits, kind, 'silo') : undefined
    if (ofSilo !== undefined && count > reserved)
      await reserve(tx, { kind, project: held.id, silo: await siloOf(tx, row), reserved, most: ofSilo })
  }
}

/** Counts rows that are created with their parent, regardless of limits; by −1 those that are deleted with it. */
export async function countMade(
  tx: Tx,
  rows: readonly (readonly [KindName, object])[],
  by: 1 | -1 = 1,
): Promise<void> {
  const made = new Map<string, TallyTable>()
  for (const [kind, row] of rows)
    for (const { id } of holdersIn(counts, kind, row)) {
      const count = (made.get(`${kind} ${id}`)?.count ?? 0) + by
      made.set(`${kind} ${id}`, { holderId: id, kind, count, reserved: 0 })
    }
  if (made.size > 0) await increase(tx, [...made.values()]).execute()
}

/** Counts a row that has been deleted. The project keeps its reserve. */
export async function countDeleted(tx: Tx, kind: KindName, row: object): Promise<void> {
  for (const { id } of holdersIn(counts, kind, row)) await add(tx, { kind, holderId: id }, -1)
}

/** Deletes the counts of a deleted scope; the silo gets back the reserve of its project. */
export async function forgetTallies(tx: Tx, holder: { id: string; siloId?: string }): Promise<void> {
  const { id, siloId } = holder
  const rows = tx.selectFrom('tally').select(['kind', 'reserved']).where('holderId', '=', id)
  for (const { kind, reserved } of siloId === undefined ? [] : await rows.where('reserved', '>', 0).execute())
    await add(tx, { kind, holderId: siloId ?? '' }, -(reserved ?? 0))
  await tx.deleteFrom('tally').where('holderId', '=', id).execute()
}

/** The limits of a kind, the silo's only for resources outside of projects, with the ids of the scopes of the row. */
function holdersIn(limits: Counts, kind: KindName, row: object): Held[] {
  const of = row as Row
  return holdersOf(limits, kind).flatMap(([holder, most]) => {
    const id = holder === 'silo' && of.projectId != null ? null : of[`${holder}Id`]
    return id == null ? [] : [{ id, holder, most }]
  })
}

const mostIn = (limits: Counts, kind: KindName, holderId: Holder): number | undefined =>
  holdersOf(limits, kind).find(([holder]) => holder === holderId)?.[1]

const tooMany = (kind: KindName, { holder, most }: Pick<Held, 'holder' | 'most'>, has: number): Fault =>
  fault.tooMany({ noun: kinds[kind].noun, holder: kinds[holder].noun, has, most })

const increase = (tx: Tx, by: TallyTable[]) =>
  tx
    .insertInto('tally')
    .values(by)
    .onConflict((on) =>
      on
        .columns(['holderId', 'kind'])
        .doUpdateSet((eb) => ({ count: eb('tally.count', '+', eb.ref('excluded.count')) })),
    )

/** Adds to a tally and returns it. */
async function add(
  tx: Tx,
  { kind, holderId }: { kind: string; holderId: string },
  by: number,
): Promise<{ count: number; reserved: number }> {
  const [tally] = await addToTally(tx, { holderId, kind, by })
  return { count: tally?.count ?? by, reserved: tally?.reserved ?? 0 }
}

const addToTally = prepared<
  { holderId: string; kind: string; by: number },
  { count: number; reserved: number | null }
>((tx, value) => {
  const row = { holderId: value('holderId'), kind: value('kind'), count: value('by'), reserved: 0 }
  return increase(tx, [row]).returning(['count', 'reserved'])
})

interface Reserving {
  kind: KindName
  project: string
  silo: string
  reserved: number
  /** of the silo */
  most: number
}

/** A reserve grows by this number: a small share of the limit, so that few remain unused in other projects. */
const shareOf = (most: number): number => Math.max(1, Math.min(32, Math.floor(most / 1000)))

/**
 * Enlarges the reserve of a project that has used it up. If no more are left, all projects give back their unused
 * reserves. Throws 507 if the silo has reached its limit.
 */
async function reserve(tx: Tx, { kind, project, silo, reserved, most }: Reserving): Promise<void> {
  const share = shareOf(most)
  const all = await add(tx, { kind, holderId: silo }, share)
  if (all.count <= most) {
    await tx
      .updateTable('tally')
      .set({ reserved: reserved + share })
      .where('holderId', '=', project)
      .where('kind', '=', kind)
      .execute()
    return
  }
  await add(tx, { kind, holderId: silo }, -share)
  const has = await gatherIn(tx, kind, { id: silo, most })
  if (has > most) throw tooMany(kind, { holder: 'silo', most }, has - 1)
}

/** Has all projects of a silo give back their unused reserves, if that is enough. Returns the number in the silo. */
async function gatherIn(tx: Tx, kind: KindName, { id, most }: Pick<Held, 'id' | 'most'>): Promise<number> {
  const unused = await unusedIn(tx, kind, id)
  const { count } = await add(tx, { kind, holderId: id }, -unused)
  if (count <= most) await dropReserves(tx, kind, id)
  return count
}

async function dropReserves(tx: Tx, kind: KindName, siloId: string): Promise<void> {
  await tx
    .updateTable('tally')
    .set((eb) => ({ reserved: eb.ref('count') }))
    .where('kind', '=', kind)
    .where('holderId', 'in', projectsOf(tx, siloId))
    .execute()
}

/** At the start: if a limit is lower than the reserves, projects give back their unused part. */
export async function fitReserves(tx: Tx, limits: Counts = counts): Promise<void> {
  const silos = tx.selectFrom('silo').select('id')
  for (const kind of kindNames) {
    const most = mostIn(limits, kind, 'silo')
    if (most === undefined) continue
    const tallies = tx.selectFrom('tally').select('holderId').where('kind', '=', kind)
    const over = await tallies.where('count', '>', most).where('holderId', 'in', silos).execute()
    for (const { holderId } of over) {
      await add(tx, { kind, holderId }, -(await unusedIn(tx, kind, holderId)))
      await dropReserves(tx, kind, holderId)
    }
  }
}

/** The unused reserves of the projects of a silo. */
async function unusedIn(tx: Tx, kind: KindName, siloId: string): Promise<number> {
  const { unused } = await tx
    .selectFrom('tally')
    .select(sql<number>`cast(coalesce(sum("reserved" - "count"), 0) as bigint)`.as('unused'))
    .where('kind', '=', kind)
    .where('holderId', 'in', projectsOf(tx, siloId))
    .executeTakeFirstOrThrow()
  return unused
}

const projectsOf = (tx: Tx, siloId: string) =>
  tx.selectFrom('project').select('project.id').where('project.siloId', '=', siloId)

// Some tables have the project only.
async function siloOf(tx: Tx, row: object): Promise<string> {
  const { siloId, projectId = '' } = row as Row
  if (siloId != null) return siloId
  const { siloId: found } = await tx
    .selectFrom('project')
    .select('siloId')
    .where('id', '=', projectId)
    .executeTakeFirstOrThrow()
  return found
}

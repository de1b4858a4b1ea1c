/** How many of each kind there are in what holds them, kept in the transaction that adds or removes one. */
import { counts, holdersOf, type Counts, type Holder } from '@purlin/contract/rules/counts'
import { kinds, type KindName } from '@purlin/contract/rules/kinds'
import { fault } from '#/faults.ts'
import type { Tx } from './tables.ts'

type Row = Partial<Record<`${Holder}Id`, string | null>>
interface Held {
  id: string
  holder: Holder
  most: number
}

/** Counts a row that has been inserted. Throws 507 if it is one too many in its silo, its project, … */
export async function countNew(
  { tx, world }: { tx: Tx; world: { counts?: Counts } },
  kind: KindName,
  row: object,
): Promise<void> {
  const all = await heldBy(tx, [kind, row], world.counts ?? counts)
  if (all.length === 0) return
  const tallies = await add(tx, [kind, all], 1)
  for (const { id, holder, most } of all) {
    const tally = tallies.find((one) => one.holderId === id)
    if (!tally || tally.count <= most) continue
    const has = tally.count - 1
    throw fault.tooMany({ noun: kinds[kind].noun, holder: kinds[holder].noun, has, most })
  }
}

/** Counts a row that has been deleted. */
export async function countDeleted(tx: Tx, kind: KindName, row: object): Promise<void> {
  const all = await heldBy(tx, [kind, row], counts)
  if (all.length > 0) await add(tx, [kind, all], -1)
}

/** Forgets what was counted in something that has been deleted. */
export async function forgetTallies(tx: Tx, holderId: string): Promise<void> {
  await tx.deleteFrom('tally').where('holderId', '=', holderId).execute()
}

const add = (tx: Tx, [kind, all]: [KindName, readonly Held[]], by: number) =>
  tx
    .insertInto('tally')
    .values(all.map(({ id }) => ({ holderId: id, kind, count: by })))
    .onConflict((on) =>
      on.columns(['holderId', 'kind']).doUpdateSet((eb) => ({ count: eb('tally.count', '+', by) })),
    )
    .returning(['holderId', 'count'])
    .execute()

async function heldBy(tx: Tx, [kind, row]: [KindName, object], all: Counts): Promise<Held[]> {
  const held: Held[] = []
  for (const [holder, most] of holdersOf(all, kind)) {
    const id = (row as Row)[`${holder}Id`] ?? (holder === 'silo' ? await siloOf(tx, row) : null)
    if (id !== null) held.push({ id, holder, most })
  }
  return held
}

// Some tables have the project only.
async function siloOf(tx: Tx, { projectId = null }: Row): Promise<string | null> {
  if (projectId === null) return null
  const project = await tx
    .selectFrom('project')
    .select('siloId')
    .where('id', '=', projectId)
    .executeTakeFirst()
  return project?.siloId ?? null
}

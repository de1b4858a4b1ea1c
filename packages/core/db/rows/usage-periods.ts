/**
 * The use of each resource, from one moment to another. A change of its size or tags ends one period and begins the next,
 * in the transaction of the change. Times are in whole seconds, so that sums of them are exact.
 */
import { sql } from 'kysely'
import { together } from '#/concurrency/together.ts'
import { insertRows, prepared } from '../prepared.ts'
import type { Kept, Tx, UsagePeriodTable } from '../tables.ts'
import { tagsIn } from './tags.ts'

/** The amounts that are in use. */
export type Use = Pick<UsagePeriodTable, 'cpus' | 'memoryGib' | 'storageGib' | 'addresses'>
export const noUse: Use = { cpus: 0, memoryGib: 0, storageGib: 0, addresses: 0 }

/** A resource that uses something, and its place. */
export interface User extends Partial<Pick<Kept, 'tagsJson'>> {
  id: string
  siloId: string
  projectId: string
}

/** Whole seconds, in ms. */
export const wholeSecond = (ms: number): number => ms - (ms % 1000)

const insertPeriod = prepared<Omit<UsagePeriodTable, 'timeEnded'>, unknown>((tx, value) =>
  tx
    .insertInto('usagePeriod')
    .values({
      resourceId: value('resourceId'),
      timeBegan: value('timeBegan'),
      timeEnded: null,
      inSilo: value('inSilo'),
      inProject: value('inProject'),
      cpus: value('cpus'),
      memoryGib: value('memoryGib'),
      storageGib: value('storageGib'),
      addresses: value('addresses'),
    })
    // Another one that began within this second was empty.
    .onConflict((on) =>
      on.columns(['resourceId', 'timeBegan']).doUpdateSet((eb) => ({
        timeEnded: null,
        cpus: eb.ref('excluded.cpus'),
        memoryGib: eb.ref('excluded.memoryGib'),
        storageGib: eb.ref('excluded.storageGib'),
        addresses: eb.ref('excluded.addresses'),
      })),
    ),
)

/** Begins a period of a resource that has none. */
export async function beginUse(tx: Tx, of: User, { use, now }: { use: Use; now: number }): Promise<void> {
  const at = { resourceId: of.id, timeBegan: wholeSecond(now) }
  const period = { ...at, inSilo: of.siloId, inProject: of.projectId, ...use }
  const tags = Object.entries(tagsIn(of.tagsJson))
  if (tags.length === 0) return void (await insertPeriod(tx, period))
  await together([
    insertPeriod(tx, period),
    tx.deleteFrom('usageTag').where('resourceId', '=', of.id).where('timeBegan', '=', at.timeBegan).execute(),
    insertRows(
      tx,
      'usageTag',
      tags.map(([key, value]) => ({ ...at, key, value })),
    ),
  ])
}

const endPeriod = prepared<{ id: string; now: number }, unknown>((tx, value) =>
  tx
    .updateTable('usagePeriod')
    // A clock that went back does not end a period before it began.
    .set({
      timeEnded: sql<number>`case when "timeBegan" > ${value('now')} then "timeBegan" else ${value('now')} end`,
    })
    .where('resourceId', '=', value('id'))
    .where('timeEnded', 'is', null),
)

/** Ends the period of a resource, if it has one. */
export const endUse = (tx: Tx, { id }: Pick<User, 'id'>, now: number): Promise<unknown> =>
  endPeriod(tx, { id, now: wholeSecond(now) })

/** Ends the period of a resource, and begins the next with its tags as they are now. */
export async function splitUse(tx: Tx, of: Pick<User, 'id' | 'tagsJson'>, now: number): Promise<void> {
  const period = await tx
    .selectFrom('usagePeriod')
    .selectAll()
    .where('resourceId', '=', of.id)
    .where('timeEnded', 'is', null)
    .executeTakeFirst()
  if (!period) return
  const { inSilo, inProject, cpus, memoryGib, storageGib, addresses } = period
  await endUse(tx, of, now)
  // Of a period that began within this second, with other tags.
  await tx
    .deleteFrom('usageTag')
    .where('resourceId', '=', of.id)
    .where('timeBegan', '=', wholeSecond(now))
    .execute()
  const user = { ...of, siloId: inSilo, projectId: inProject }
  await beginUse(tx, user, { use: { cpus, memoryGib, storageGib, addresses }, now })
}

/** Keeps the name of a project or silo that is deleted for as long as its periods, if it has any. */
export async function keepName(
  { tx, now }: { tx: Tx; now: number },
  column: 'inProject' | 'inSilo',
  { id, name }: { id: string; name: string },
): Promise<void> {
  const period = await tx
    .selectFrom('usagePeriod')
    .select(column)
    .where(column, '=', id)
    .limit(1)
    .executeTakeFirst()
  if (period) await tx.insertInto('formerName').values({ id, name, timeDeleted: now }).execute()
}

const perBatch = 1000

/** Deletes a batch of the periods that ended before a time; false if none are left. */
export async function forgetUse(tx: Tx, before: number): Promise<boolean> {
  const old = tx
    .selectFrom('usagePeriod')
    .select(['resourceId', 'timeBegan'])
    .where('timeEnded', '<', before)
    .orderBy('timeEnded')
    .limit(perBatch)
  const rows = await old.execute()
  for (const { resourceId, timeBegan } of rows)
    for (const table of ['usageTag', 'usagePeriod'] as const)
      await tx
        .deleteFrom(table)
        .where('resourceId', '=', resourceId)
        .where('timeBegan', '=', timeBegan)
        .execute()
  if (rows.length < perBatch) await tx.deleteFrom('formerName').where('timeDeleted', '<', before).execute()
  return rows.length === perBatch
}

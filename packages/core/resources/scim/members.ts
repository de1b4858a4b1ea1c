/** The members of groups, as an identity system changes them. */
import { limits } from '@purlin/contract/rules/limits'
import type { Ctx } from '#/context.ts'
import { batches } from '#/db/batches.ts'
import type { SiloGroupTable, Tx } from '#/db/tables.ts'
import { fault } from '#/faults.ts'
import { equalities, type Filter } from './expressions.ts'
import type { Operation } from './patch.ts'
import { entriesOf, listOf, requiredText, valueIn } from './values.ts'

const rowsPerQuery = 200

/** The members of groups with their names, at most as many as an answer may hold. */
export async function idsOfMembers(tx: Tx, groupIds: readonly string[]) {
  const rows = await tx
    .selectFrom('groupMember')
    .innerJoin('siloUser', 'siloUser.id', 'groupMember.userId')
    .select(['groupMember.groupId', 'groupMember.userId', 'siloUser.displayName'])
    .where('groupMember.groupId', 'in', groupIds)
    .orderBy('groupMember.userId')
    .limit(limits.scim.page.related)
    .execute()
  return Map.groupBy(rows, ({ groupId }) => groupId)
}

/** Carries out the operations on members, in their order. Throws 400 for one who is no user of the silo. */
export async function changeMembers(
  ctx: Ctx,
  group: SiloGroupTable,
  operations: readonly Operation[],
): Promise<void> {
  const ofMembers = operations.filter(({ path }) => path.attribute === 'members')
  let named = 0
  for (const operation of ofMembers) {
    const ids = idsIn(operation)
    named += ids?.length ?? 0
    if (named > limits.scim.members) throw tooMany()
    await changeBy(ctx, group, { op: operation.op, ids })
  }
  if (ofMembers.length > 0) await checkCount(ctx, group)
}

const tooMany = () => fault.scim('tooMany', `members: at most ${limits.scim.members}`)

/** The ids that an operation names; undefined for all members. Throws 400. */
function idsIn({ op, path: { filter, sub }, value }: Operation): string[] | undefined {
  if (filter) {
    if (op !== 'remove') throw fault.scim('invalidPath', 'members: a filter only selects members to remove')
    return idsOfFilter(filter)
  }
  if (sub !== undefined && sub !== 'value')
    throw fault.scim('invalidPath', 'members: only value is supported')
  if (op === 'remove' && (value === undefined || value === null)) return undefined
  const list = listOf('members', value, limits.scim.members)
  return [...new Set(list.map(idOf))]
}

function idOf(member: unknown): string {
  if (typeof member === 'string') return requiredText('members.value', member).toLowerCase()
  const entries = entriesOf('members', member)
  const type = valueIn(entries, 'type')
  if (typeof type === 'string' && type.toLowerCase() === 'group')
    throw fault.scim('invalidValue', 'members: groups in groups are not supported')
  return requiredText('members.value', valueIn(entries, 'value')).toLowerCase()
}

function idsOfFilter(filter: Filter): string[] {
  if (filter.op === 'or') return filter.parts.flatMap(idsOfFilter)
  const [one, another] = equalities(filter) ?? []
  if (!one || another || one[0] !== 'value' || typeof one[1] !== 'string')
    throw fault.scim('invalidFilter', 'members: only value eq is supported')
  return [one[1].toLowerCase()]
}

async function changeBy(
  { tx, actor }: Ctx,
  { id }: SiloGroupTable,
  { op, ids }: { op: Operation['op']; ids: readonly string[] | undefined },
): Promise<void> {
  const members = tx.deleteFrom('groupMember').where('groupId', '=', id)
  if (!ids) return void (await members.execute())
  if (op === 'remove') return deleteEach(ids, (some) => members.where('userId', 'in', some).execute())
  await checkUsers(tx, actor.siloId, ids)
  if (op === 'replace') {
    const before = await tx.selectFrom('groupMember').select('userId').where('groupId', '=', id).execute()
    const kept = new Set(ids)
    const left = before.map(({ userId }) => userId).filter((userId) => !kept.has(userId))
    await deleteEach(left, (some) => members.where('userId', 'in', some).execute())
  }
  for (const some of batches(ids, rowsPerQuery))
    await tx
      .insertInto('groupMember')
      .values(some.map((userId) => ({ groupId: id, userId })))
      .onConflict((on) => on.doNothing())
      .execute()
}

async function deleteEach(ids: readonly string[], run: (some: readonly string[]) => Promise<unknown>) {
  for (const some of batches(ids, rowsPerQuery)) await run(some)
}

async function checkUsers(tx: Tx, siloId: string, ids: readonly string[]): Promise<void> {
  for (const some of batches(ids, rowsPerQuery)) {
    const found = await tx
      .selectFrom('siloUser')
      .select('id')
      .where('siloId', '=', siloId)
      .where('isServiceAccount', 'is', null)
      .where('id', 'in', some)
      .execute()
    if (found.length < some.length)
      throw fault.scim('invalidValue', 'members: each must be the id of a user of this silo')
  }
}

async function checkCount({ tx }: Ctx, { id }: SiloGroupTable): Promise<void> {
  const { count } = await tx
    .selectFrom('groupMember')
    .select((eb) => eb.fn.countAll().as('count'))
    .where('groupId', '=', id)
    .executeTakeFirstOrThrow()
  if (Number(count) > limits.scim.members) throw tooMany()
}

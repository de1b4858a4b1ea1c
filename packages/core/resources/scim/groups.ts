/** The groups of a silo, as its identity system manages them. */
import { limits } from '@purlin/contract/rules/limits'
import { noteChanged, noteMade, noteTarget } from '#/audit/touched.ts'
import { checkDirectoryRoom } from '#/auth/directory-room.ts'
import { permit } from '#/auth/resolve.ts'
import type { Ctx, Family } from '#/context.ts'
import { insertRow } from '#/db/prepared.ts'
import { addPrincipalWords, nameKeyOf, forgetPrincipalWords } from '#/db/rows/principals.ts'
import type { SiloGroupTable } from '#/db/tables.ts'
import { fault } from '#/faults.ts'
import { deleteGroup } from '../access/local/groups.ts'
import { grantAdmin, revokeAdmin } from '../access/admin-group.ts'
import {
  coreSchema,
  fitting,
  isSelected,
  listResponse,
  locationOf,
  metaOf,
  pageOf,
  type Resource,
  selected,
  type Selection,
} from './answers.ts'
import { conditionsOf, notFiltered, textIn } from './filters.ts'
import { changeMembers, idsOfMembers } from './members.ts'
import { assignmentsOf, type Operation, operationsOf } from './patch.ts'
import { requiredText, textOf } from './values.ts'

type Names = 'List' | 'Create' | 'View' | 'Replace' | 'Update' | 'Delete'

export const scimGroups: Family<`scimGroup${Names}`> = {
  async scimGroupList(ctx, { query }) {
    permit(ctx)
    const { offset, limit } = pageOf(query)
    const rows = groupsWhere(ctx, query.filter)
    const { total } = await rows.select((eb) => eb.fn.countAll().as('total')).executeTakeFirstOrThrow()
    const found = await rows.selectAll('siloGroup').orderBy('id').limit(limit).offset(offset).execute()
    return listResponse(Number(total), offset, await resourcesOf(ctx, found, query))
  },

  async scimGroupCreate(ctx, { body }) {
    permit(ctx)
    const { tx, unit, now, world, actor } = ctx
    const times = { timeCreated: now, timeModified: now }
    const empty = {
      id: world.ids.uuid(),
      siloId: actor.siloId,
      displayName: '',
      nameKey: '',
      providerKey: null,
    }
    const operations = assignmentsOf(body)
    const row = operations.reduce(changed, { ...empty, ...times })
    if (row.displayName === '') throw fault.scim('invalidValue', 'displayName: it is required')
    await checkGroupName(ctx, row)
    await checkDirectoryRoom(world, tx, { siloId: row.siloId, groups: 1 })
    await insertRow(tx, 'siloGroup', row)
    noteMade(unit, 'siloGroup', row)
    await addPrincipalWords(tx, [row])
    if (await isOfAdmins(ctx, row)) await grantAdmin(tx, row)
    await changeMembers(ctx, row, operations)
    const [resource] = await resourcesOf(ctx, [row], {})
    return resource
  },

  async scimGroupView(ctx, { params, query }) {
    const row = await groupOf(ctx, params.groupId)
    const [resource] = await resourcesOf(ctx, [row], query)
    return resource
  },

  async scimGroupReplace(ctx, { params, body }) {
    const row = await groupOf(ctx, params.groupId)
    const operations = assignmentsOf(body)
    const isListed = operations.some(({ path }) => path.attribute === 'members')
    const none: Operation = { op: 'remove', path: { attribute: 'members' }, value: undefined }
    const saved = await save(ctx, row, [...(isListed ? [] : [none]), ...operations])
    const [resource] = await resourcesOf(ctx, [saved], {})
    return resource
  },

  async scimGroupUpdate(ctx, { params, body }) {
    await save(ctx, await groupOf(ctx, params.groupId), operationsOf(body))
  },

  async scimGroupDelete(ctx, { params }) {
    await deleteGroup(ctx, await groupOf(ctx, params.groupId))
  },
}

/** The group of the silo with an id. Throws 404. */
async function groupOf(ctx: Ctx, id: string): Promise<SiloGroupTable> {
  permit(ctx)
  const row = await ctx.tx
    .selectFrom('siloGroup')
    .selectAll()
    .where('siloId', '=', ctx.actor.siloId)
    .where('id', '=', id.toLowerCase())
    .executeTakeFirst()
  if (!row) throw fault.notFound('silo-group', id)
  noteTarget(ctx.unit, 'siloGroup', row)
  return row
}

/** The group after an operation on one of its attributes; members are no column. Throws 400. */
function changed(row: SiloGroupTable, { op, path, value }: Operation): SiloGroupTable {
  const { attribute, sub, filter } = path
  if (attribute === 'members' || attribute.startsWith('urn:')) return row
  if (sub !== undefined || filter) throw fault.scim('invalidPath', `${attribute}: it has one value only`)
  if (attribute === 'externalid') {
    const text = op === 'remove' ? undefined : textOf('externalId', value)
    return { ...row, providerKey: text ?? null }
  }
  if (attribute !== 'displayname')
    throw fault.scim('invalidPath', `unknown attribute: ${attribute.slice(0, limits.scim.id)}`)
  if (op === 'remove') throw fault.scim('mutability', 'displayName: it cannot be removed')
  const displayName = requiredText('displayName', value)
  return { ...row, displayName, nameKey: nameKeyOf(displayName) }
}

/** Carries out the operations. The role of administrators comes and goes with the name. */
async function save(
  ctx: Ctx,
  before: SiloGroupTable,
  operations: readonly Operation[],
): Promise<SiloGroupTable> {
  const { tx, unit, now } = ctx
  const row = { ...operations.reduce(changed, before), timeModified: now }
  const { id, ...columns } = row
  await checkGroupName(ctx, row)
  await tx.updateTable('siloGroup').set(columns).where('id', '=', id).execute()
  noteChanged(unit, ['siloGroup', before], row.displayName)
  if (row.displayName !== before.displayName) {
    await forgetPrincipalWords(tx, id)
    await addPrincipalWords(tx, [row])
  }
  if (row.nameKey !== before.nameKey) {
    if (await isOfAdmins(ctx, before)) await revokeAdmin(tx, row)
    if (await isOfAdmins(ctx, row)) await grantAdmin(tx, row)
  }
  await changeMembers(ctx, row, operations)
  return row
}

/** Refuses a name that another group of the silo has, in any case. Throws 409. */
async function checkGroupName({ tx }: Ctx, row: SiloGroupTable): Promise<void> {
  const taken = await tx
    .selectFrom('siloGroup')
    .select('id')
    .where('siloId', '=', row.siloId)
    .where('id', '!=', row.id)
    .where((eb) => eb.or([eb('nameKey', '=', row.nameKey), eb('displayName', '=', row.displayName)]))
    .limit(1)
    .executeTakeFirst()
  if (taken) throw fault.scim('uniqueness', 'another group has this displayName')
}

/** True if the silo says that the members of a group of this name are its administrators. */
async function isOfAdmins({ tx, actor }: Ctx, { nameKey }: SiloGroupTable): Promise<boolean> {
  const silo = await tx
    .selectFrom('silo')
    .select('adminGroupName')
    .where('id', '=', actor.siloId)
    .executeTakeFirst()
  const name = silo?.adminGroupName ?? null
  return name !== null && nameKeyOf(name) === nameKey
}

/** The groups of the silo that a filter finds. Throws 400. */
function groupsWhere({ tx, actor }: Ctx, filter: string | undefined) {
  const all = tx.selectFrom('siloGroup').where('siloId', '=', actor.siloId)
  return conditionsOf(filter).reduce((rows, { attribute, value }) => {
    switch (attribute) {
      case 'id':
        return rows.where('id', '=', textIn(value).toLowerCase())
      case 'displayname':
        return rows.where('nameKey', '=', nameKeyOf(textIn(value)))
      case 'externalid':
        return rows.where('providerKey', '=', textIn(value))
      case 'members':
        return rows.where('id', 'in', (eb) =>
          eb.selectFrom('groupMember').select('groupId').where('userId', '=', textIn(value).toLowerCase()),
        )
      default:
        throw notFiltered(attribute)
    }
  }, all)
}

/** Groups as answers have them: fewer than given if their members are too many for one answer. */
async function resourcesOf(
  ctx: Ctx,
  rows: readonly SiloGroupTable[],
  selection: Selection,
): Promise<Resource[]> {
  if (rows.length === 0) return []
  if (!isSelected(selection, 'members')) return rows.map((row) => selected(resourceOf(ctx, row), selection))
  const { tx } = ctx
  const ids = rows.map(({ id }) => id)
  const counts = await tx
    .selectFrom('groupMember')
    .select(['groupId', (eb) => eb.fn.countAll().as('count')])
    .where('groupId', 'in', ids)
    .groupBy('groupId')
    .execute()
  const some = fitting(rows, new Map(counts.map(({ groupId, count }) => [groupId, Number(count)])))
  const members = await idsOfMembers(
    tx,
    some.map(({ id }) => id),
  )
  return some.map((row) => selected(resourceOf(ctx, row, members.get(row.id) ?? []), selection))
}

const resourceOf = (
  ctx: Ctx,
  row: SiloGroupTable,
  members?: readonly { userId: string; displayName: string }[],
): Resource => ({
  schemas: [coreSchema('Group')],
  id: row.id,
  ...(row.providerKey === null ? {} : { externalId: row.providerKey }),
  displayName: row.displayName,
  ...(members && {
    members: members.map(({ userId, displayName }) => ({
      value: userId,
      $ref: locationOf(ctx, `Users/${userId}`),
      display: displayName,
      type: 'User',
    })),
  }),
  meta: metaOf(ctx, 'Group', row),
})

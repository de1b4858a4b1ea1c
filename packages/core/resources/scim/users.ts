/** The users of a silo, as its identity system manages them. */
import { limits } from '@purlin/contract/rules/limits'
import { noteChanged, noteMade, noteTarget } from '#/audit/touched.ts'
import { checkDirectoryRoom } from '#/auth/directory-room.ts'
import { permit } from '#/auth/resolve.ts'
import { endAllOf } from '#/auth/sessions.ts'
import type { Ctx, Family } from '#/context.ts'
import { insertRow } from '#/db/prepared.ts'
import { nameKeyOf, unmanagedUser } from '#/db/rows/principals.ts'
import type { SiloUserTable } from '#/db/tables.ts'
import { fault } from '#/faults.ts'
import { deleteUser } from '../access/users.ts'
import {
  fitting,
  isSelected,
  listResponse,
  pageOf,
  type Resource,
  selected,
  type Selection,
} from './answers.ts'
import { conditionsOf, emailsOfType, flagIn, notFiltered, textIn } from './filters.ts'
import { assignmentsOf, operationsOf, type Operation } from './patch.ts'
import { changed, type UserAttributes } from './user-attributes.ts'
import {
  attributesOf,
  checkUserName,
  indexUser,
  type Membership,
  userResource,
  withAttributes,
} from './user-rows.ts'
import { entriesOf, listOf, valueIn } from './values.ts'

type Names = 'List' | 'Create' | 'View' | 'Replace' | 'Update' | 'Delete'

export const scimUsers: Family<`scimUser${Names}`> = {
  async scimUserList(ctx, { query }) {
    permit(ctx)
    const { offset, limit } = pageOf(query)
    const rows = usersWhere(ctx, query.filter)
    const { total } = await rows.select((eb) => eb.fn.countAll().as('total')).executeTakeFirstOrThrow()
    const found = await rows.selectAll('siloUser').orderBy('id').limit(limit).offset(offset).execute()
    const resources = await resourcesOf(ctx, found, query)
    return listResponse(Number(total), offset, resources)
  },

  async scimUserCreate(ctx, { body }) {
    permit(ctx)
    const groups = valueIn(entriesOf('the body', body), 'groups')
    if (listOf('groups', groups, 1).length > 0)
      throw fault.scim('mutability', 'groups: members are set on the group')
    const none: UserAttributes = { userName: '', externalId: null, active: true, name: {}, emails: [] }
    const user = assignmentsOf(body).reduce(changed, none)
    if (user.userName === '') throw fault.scim('invalidValue', 'userName: it is required')
    const row = withAttributes(newRow(ctx), user, ctx.now)
    await checkUserName(ctx.tx, row)
    await checkDirectoryRoom(ctx.world, ctx.tx, { siloId: row.siloId, users: 1 })
    await insertRow(ctx.tx, 'siloUser', row)
    noteMade(ctx.unit, 'siloUser', row)
    await indexUser(ctx.tx, row)
    return userResource(ctx, row, [])
  },

  async scimUserView(ctx, { params, query }) {
    const row = await userOf(ctx, params.userId)
    const [resource] = await resourcesOf(ctx, [row], query)
    return resource
  },

  async scimUserReplace(ctx, { params, body }) {
    const row = await userOf(ctx, params.userId)
    // One who is inactive stays so, unless the body says otherwise.
    const { userName, active } = attributesOf(row)
    const emptied: UserAttributes = { userName, externalId: null, active, name: {}, emails: [] }
    return save(ctx, row, assignmentsOf(body).reduce(changed, emptied))
  },

  async scimUserUpdate(ctx, { params, body }) {
    const row = await userOf(ctx, params.userId)
    const operations: readonly Operation[] = operationsOf(body)
    return save(ctx, row, operations.reduce(changed, attributesOf(row)))
  },

  async scimUserDelete(ctx, { params }) {
    await deleteUser(ctx, await userOf(ctx, params.userId))
    ctx.wake('tasks')
  },
}

const newRow = ({ world, now, actor }: Ctx): SiloUserTable => ({
  id: world.ids.uuid(),
  siloId: actor.siloId,
  externalId: '',
  displayName: '',
  passwordHash: null,
  ...unmanagedUser,
  timeCreated: now,
  timeModified: now,
})

/** The user of the silo with an id. Throws 404. */
async function userOf(ctx: Ctx, id: string): Promise<SiloUserTable> {
  permit(ctx)
  const row = await ctx.tx
    .selectFrom('siloUser')
    .selectAll()
    .where('siloId', '=', ctx.actor.siloId)
    .where('id', '=', id.toLowerCase())
    .where('isServiceAccount', 'is', null)
    .executeTakeFirst()
  if (!row) throw fault.notFound('silo-user', id)
  noteTarget(ctx.unit, 'siloUser', row)
  return row
}

/**
 * Stores the attributes of a user. One who is inactive from now on loses sessions and access tokens. The roles stay, and the
 * last administrator is no exception: the identity system decides who still belongs to the organisation.
 */
async function save(ctx: Ctx, before: SiloUserTable, user: UserAttributes): Promise<Resource> {
  const { tx, unit, now } = ctx
  const row = { ...withAttributes(before, user, now), timeModified: now }
  await checkUserName(tx, row)
  const { id, ...columns } = row
  await tx.updateTable('siloUser').set(columns).where('id', '=', id).execute()
  noteChanged(unit, ['siloUser', before], row.displayName)
  await indexUser(tx, row)
  if (row.timeDeactivated !== null) {
    await endAllOf(tx, { id })
    ctx.wake('tasks')
  }
  const [resource] = await resourcesOf(ctx, [row], {})
  return resource ?? {}
}

/** The users of the silo that a filter finds. Throws 400. */
function usersWhere({ tx, actor: { siloId } }: Ctx, filter: string | undefined) {
  const all = tx.selectFrom('siloUser').where('siloId', '=', siloId).where('isServiceAccount', 'is', null)
  return conditionsOf(filter).reduce((rows, { attribute, value }) => {
    if (isIndexed(attribute))
      return rows.where('id', 'in', (eb) =>
        eb
          .selectFrom('principalKey')
          .select('principalId')
          .where('siloId', '=', siloId)
          .where('attribute', '=', attribute)
          .where('value', '=', nameKeyOf(textIn(value))),
      )
    switch (attribute) {
      case 'id':
        return rows.where('id', '=', textIn(value).toLowerCase())
      case 'username':
        return rows.where('nameKey', '=', nameKeyOf(textIn(value)))
      case 'externalid':
        return rows.where('providerKey', '=', textIn(value))
      case 'active':
        return rows.where('timeDeactivated', flagIn(value) ? 'is' : 'is not', null)
      default:
        throw notFiltered(attribute)
    }
  }, all)
}

/** True for an attribute that `indexUser` keeps. */
const isIndexed = (attribute: string): boolean =>
  ['displayname', 'emails', 'emails:primary'].includes(attribute) || attribute.startsWith(emailsOfType)

/** Users as answers have them: fewer than given if their groups are too many for one answer. */
async function resourcesOf(
  ctx: Ctx,
  rows: readonly SiloUserTable[],
  selection: Selection,
): Promise<Resource[]> {
  if (rows.length === 0) return []
  if (!isSelected(selection, 'groups')) return rows.map((row) => selected(userResource(ctx, row), selection))
  const { tx } = ctx
  const ids = rows.map(({ id }) => id)
  const counts = await tx
    .selectFrom('groupMember')
    .select(['userId', (eb) => eb.fn.countAll().as('count')])
    .where('userId', 'in', ids)
    .groupBy('userId')
    .execute()
  const some = fitting(rows, new Map(counts.map(({ userId, count }) => [userId, Number(count)])))
  const memberships: Membership[] = await tx
    .selectFrom('groupMember')
    .innerJoin('siloGroup', 'siloGroup.id', 'groupMember.groupId')
    .select(['groupMember.userId', 'groupMember.groupId', 'siloGroup.displayName'])
    .where(
      'groupMember.userId',
      'in',
      some.map(({ id }) => id),
    )
    .orderBy('groupMember.groupId')
    .limit(limits.scim.page.related)
    .execute()
  const byUser = Map.groupBy(memberships, ({ userId }) => userId)
  return some.map((row) => selected(userResource(ctx, row, byUser.get(row.id) ?? []), selection))
}

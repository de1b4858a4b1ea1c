/** Groups of silos: as operators see them, and as administrators of silos with local users make and change them. */
import { limits } from '@purlin/contract/rules/limits'
import { listChanges } from '#/audit/field-texts.ts'
import { noteChanged, noteChanges, noteDeleted, noteMade } from '#/audit/touched.ts'
import { keepingAdmins } from '#/auth/admins.ts'
import { checkDirectoryRoom } from '#/auth/directory-room.ts'
import { endingRaisedKeys } from '#/auth/raised-keys.ts'
import { resolveInFleet } from '#/auth/resolve.ts'
import type { Ctx, Family } from '#/context.ts'
import { mapPage, pageById } from '#/db/lists/pages.ts'
import { insertRow } from '#/db/prepared.ts'
import {
  addPrincipalWords,
  forgetPrincipalWords,
  principalsFound,
  unmanagedGroup,
} from '#/db/rows/principals.ts'
import type { SiloGroupTable, SiloUserTable } from '#/db/tables.ts'
import { fault } from '#/faults.ts'
import { principalView } from '#/resources/silos/silos.ts'
import { groupOf, localSilo, permitAs, userOf, usersOf } from './silo.ts'

export const localGroups: Family<
  | 'siloGroupList'
  | 'siloGroupView'
  | 'localIdpGroupCreate'
  | 'localIdpGroupUpdate'
  | 'localIdpGroupDelete'
  | 'localIdpGroupMembersAdd'
  | 'localIdpGroupMemberRemove'
> = {
  async siloGroupList(ctx, { query }) {
    const silo = await resolveInFleet(ctx, 'silo', query.silo)
    let rows = ctx.tx.selectFrom('siloGroup').where('siloId', '=', silo.id)
    if (query.user !== undefined) {
      const user = await userOf(ctx, silo, query.user)
      rows = rows.where('id', 'in', (eb) =>
        eb.selectFrom('groupMember').select('groupId').where('userId', '=', user.id),
      )
    }
    if (query.find) rows = rows.where('id', 'in', principalsFound(ctx.tx, silo.id, query.find))
    return mapPage(await pageById(ctx, query, { rows, table: 'siloGroup' }), principalView)
  },

  async siloGroupView(ctx, { params, query }) {
    const silo = await resolveInFleet(ctx, 'silo', query.silo)
    return principalView(await groupOf(ctx, silo, params.groupId))
  },

  async localIdpGroupCreate(ctx, { query, body: { displayName } }) {
    const silo = await localSilo(ctx, query)
    const room = { ...limits.directory, groups: limits.localGroups.count }
    await checkDirectoryRoom({ directory: room }, ctx.tx, { siloId: silo.id, groups: 1 })
    await checkName(ctx, { siloId: silo.id, displayName })
    const times = { timeCreated: ctx.now, timeModified: ctx.now }
    const row = { id: ctx.world.ids.uuid(), siloId: silo.id, displayName, ...unmanagedGroup, ...times }
    await insertRow(ctx.tx, 'siloGroup', row)
    await addPrincipalWords(ctx.tx, [row])
    noteMade(ctx.unit, 'siloGroup', row)
    return principalView(row)
  },

  async localIdpGroupUpdate(ctx, { params, query, body: { displayName } }) {
    const silo = await localSilo(ctx, query)
    const group = await groupOf(ctx, silo, params.groupId)
    if (displayName === group.displayName) return principalView(group)
    await checkName(ctx, { siloId: silo.id, displayName })
    const renamed = { ...group, displayName }
    const { id } = group
    await ctx.tx
      .updateTable('siloGroup')
      .set({ displayName, timeModified: ctx.now })
      .where('id', '=', id)
      .execute()
    await forgetPrincipalWords(ctx.tx, id)
    await addPrincipalWords(ctx.tx, [renamed])
    noteChanged(ctx.unit, ['siloGroup', group], displayName)
    return principalView(renamed)
  },

  async localIdpGroupDelete(ctx, { params, query }) {
    const silo = await localSilo(ctx, query)
    const group = await groupOf(ctx, silo, params.groupId)
    await keepingAdmins(ctx, silo.id, () => deleteGroup(ctx, group))
  },

  async localIdpGroupMembersAdd(ctx, { params, query, body }) {
    const silo = await localSilo(ctx, query)
    const group = await groupOf(ctx, silo, params.groupId)
    // Its members get its roles.
    await permitAs(ctx, group)
    const users = await usersOf(ctx, silo, body.userIds)
    const known = new Set(await memberIds(ctx, group.id))
    await endingRaisedKeys(ctx, { identityIds: users.map(({ id }) => id) }, () =>
      addMembers(ctx, group.id, users),
    )
    const added = users.filter(({ id }) => !known.has(id)).map(({ displayName }) => displayName)
    noteChanges(ctx.unit, ['siloGroup', group], listChanges('users', [], added))
  },

  async localIdpGroupMemberRemove(ctx, { params, query }) {
    const silo = await localSilo(ctx, query)
    const group = await groupOf(ctx, silo, params.groupId)
    const user = await userOf(ctx, silo, params.userId)
    await keepingAdmins(ctx, silo.id, () => removeMember(ctx, { groupId: group.id, userId: user.id }))
    noteChanges(ctx.unit, ['siloGroup', group], listChanges('users', [user.displayName], []))
  },
}

/** Throws 400 for a name that another group of the silo has. */
async function checkName(
  { tx }: Ctx,
  { siloId, displayName }: Pick<SiloGroupTable, 'siloId' | 'displayName'>,
): Promise<void> {
  const taken = await tx
    .selectFrom('siloGroup')
    .select('id')
    .where('siloId', '=', siloId)
    .where('displayName', '=', displayName)
    .executeTakeFirst()
  if (taken) throw fault.exists('silo-group', displayName)
}

/** Deletes a group with its roles. */
export async function deleteGroup({ tx, unit }: Ctx, group: SiloGroupTable): Promise<void> {
  const { id } = group
  await tx.deleteFrom('groupMember').where('groupId', '=', id).execute()
  await tx.deleteFrom('roleAssignment').where('identityId', '=', id).execute()
  await forgetPrincipalWords(tx, id)
  await tx.deleteFrom('siloGroup').where('id', '=', id).execute()
  noteDeleted(unit, 'siloGroup', group)
}

async function memberIds({ tx }: Ctx, groupId: string): Promise<string[]> {
  const rows = await tx.selectFrom('groupMember').select('userId').where('groupId', '=', groupId).execute()
  return rows.map(({ userId }) => userId)
}

/** Those that are members already stay. */
async function addMembers(
  { tx }: Ctx,
  groupId: string,
  users: readonly Pick<SiloUserTable, 'id'>[],
): Promise<void> {
  if (users.length === 0) return
  const userIds = users.map(({ id }) => id)
  const members = await tx
    .selectFrom('groupMember')
    .select('userId')
    .where('groupId', '=', groupId)
    .where('userId', 'in', userIds)
    .execute()
  const present = new Set(members.map(({ userId }) => userId))
  const added = userIds.filter((id) => !present.has(id)).map((userId) => ({ groupId, userId }))
  if (added.length > 0) await tx.insertInto('groupMember').values(added).execute()
}

/** Throws 404 for a user who is no member. */
async function removeMember(
  { tx }: Ctx,
  { groupId, userId }: { groupId: string; userId: string },
): Promise<void> {
  const { numDeletedRows } = await tx
    .deleteFrom('groupMember')
    .where('groupId', '=', groupId)
    .where('userId', '=', userId)
    .executeTakeFirst()
  if (numDeletedRows === 0n) throw fault.notFound('silo-user', userId)
}

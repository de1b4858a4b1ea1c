/** The actor's silo: its users, groups and utilization, and silos as clients see them. */
import type { Result } from '@purlin/contract/op'
import { operations, type Operations } from '@purlin/contract/operations'
import type { Role } from '@purlin/contract/rules/roles'
import type { PageQuery } from '@purlin/contract/schemas/page'
import { permits } from '#/auth/access.ts'
import type { Actor, Ctx, Family } from '#/context.ts'
import { fault } from '#/faults.ts'
import type { SiloUserTable } from '#/db/tables.ts'
import type { Listed } from '#/db/lists/listed.ts'
import { mapPage, pageById } from '#/db/lists/pages.ts'
import { permit, resolve, resolveToRead } from '#/auth/resolve.ts'
import { visible } from '#/auth/visible.ts'
import { principalsFound } from '#/db/rows/principals.ts'
import { withRoles } from '../access/roles-of-users.ts'
import { personOf } from '../scim/user-rows.ts'
import { lastExpiry } from './certificates.ts'
import { readUtilization } from './quotas.ts'
import { roomLeft } from './silo-room.ts'
import { identityView } from '../kind/rows.ts'
import { quotaTrends } from './usage-trends.ts'

interface Principal {
  id: string
  displayName: string
  siloId: string
}
/** A user or group as clients see it. */
export const principalView = ({ id, displayName, siloId }: Principal): Principal => ({
  id,
  displayName,
  siloId,
})

/** A silo as lists show it. */
export const siloView = (row: Listed<'silo'>) => ({
  ...identityView(row),
  discoverable: row.discoverable === 1,
  identityMode: row.identityMode,
  mappedFleetRoles: JSON.parse(row.mappedFleetRolesJson) as Record<string, Role[]>,
  adminGroupName: row.adminGroupName,
})

/** One silo as clients see it: the same after every operation, because its entity tag is made of this. */
export const wholeSilo = async (ctx: Pick<Ctx, 'tx'>, row: Listed<'silo'>) => ({
  ...siloView(row),
  certificateExpires: await lastExpiry(ctx, row.id),
})

/** A user with what an identity system says of the person, as far as the caller may know it. */
export const userView =
  ({ actor }: Pick<Ctx, 'actor'>) =>
  (
    row: Principal &
      Pick<SiloUserTable, 'isServiceAccount' | 'timeDeactivated' | 'timeLastSignedIn' | 'profileJson'>,
  ): Result<Operations['userView']> => ({
    ...principalView(row),
    ...personOf(row),
    ...(row.isServiceAccount === null ? {} : { serviceAccount: true }),
    ...(row.timeDeactivated === null ? {} : { timeDeactivated: new Date(row.timeDeactivated) }),
    ...(row.timeLastSignedIn === null || row.timeLastSignedIn === 0 || !seesSignIns(actor, row)
      ? {}
      : { timeLastSignedIn: new Date(row.timeLastSignedIn) }),
  })

/** Those who may see the sessions of a user, or the audit log of the fleet, know sign-ins. Without an `id`: of all users. */
const seesSignIns = (
  actor: Actor,
  { id, siloId }: Pick<Principal, 'siloId'> & Partial<Pick<Principal, 'id'>>,
): boolean =>
  permits(actor, operations.userSessionList.allow, { siloId, ...(id === undefined ? {} : { userId: id }) }) ||
  permits(actor, operations.auditLogList.allow)

/** Throws 403 for an order or a filter that would show sign-ins to those who do not know them. */
export function checkSignInsOfUsers(
  { actor }: Pick<Ctx, 'actor'>,
  siloId: string,
  { sortBy, filter = [] }: Pick<PageQuery, 'sortBy' | 'filter'>,
): void {
  const isAsked =
    sortBy?.startsWith('last_sign_in_') === true || filter.some((one) => /^-?last_sign_in:/.test(one))
  if (isAsked && !seesSignIns(actor, { siloId })) throw fault.forbidden()
}

type OfOwnSilo = 'groupList' | 'groupView' | 'userList' | 'userView' | 'utilizationView'
export const silo: Family<OfOwnSilo> = {
  async groupList(ctx, { query }) {
    permit(ctx)
    let rows = visible.siloGroup(ctx).clearSelect()
    if (query.user != null) {
      const user = await resolveToRead(ctx, 'siloUser', { userId: query.user })
      rows = rows.where('id', 'in', (eb) =>
        eb.selectFrom('groupMember').select('groupId').where('userId', '=', user.id),
      )
    }
    if (query.find) rows = rows.where('id', 'in', principalsFound(ctx.tx, ctx.actor.siloId, query.find))
    return mapPage(await pageById(ctx, query, { rows, table: 'siloGroup' }), principalView)
  },

  async groupView(ctx, { params }) {
    return principalView(await resolve(ctx, 'siloGroup', params))
  },

  async userList(ctx, { query }) {
    permit(ctx)
    checkSignInsOfUsers(ctx, ctx.actor.siloId, query)
    let rows = visible.siloUser(ctx).clearSelect()
    if (query.group != null) {
      const group = await resolveToRead(ctx, 'siloGroup', { groupId: query.group })
      rows = rows.where('id', 'in', (eb) =>
        eb.selectFrom('groupMember').select('userId').where('groupId', '=', group.id),
      )
    }
    if (query.find) rows = rows.where('id', 'in', principalsFound(ctx.tx, ctx.actor.siloId, query.find))
    const users = await withRoles(ctx, rows, { siloId: ctx.actor.siloId, query })
    return mapPage(await pageById(ctx, query, { rows: users, table: 'siloUser' }), userView(ctx))
  },

  async userView(ctx, { params }) {
    return userView(ctx)(await resolve(ctx, 'siloUser', params))
  },

  async utilizationView(ctx, { query }) {
    permit(ctx)
    const { used, quota } = await readUtilization(ctx, ctx.actor.siloId)
    const left = await roomLeft(ctx, { used, quota })
    const { ncpus = 0, memory = 0 } = query
    return {
      provisioned: used,
      capacity: quota,
      ...left.room,
      ...(query.trends ? { trends: await quotaTrends(ctx, { id: ctx.actor.siloId, used, quota }) } : {}),
      ...(ncpus > 0 && memory > 0 ? { fits: left.fits({ cpus: ncpus, memory }) } : {}),
    }
  },
}

import { op } from '#/op.ts'
import { limits } from '#/rules/limits.ts'
import { boolean, exactInt64, integer, nullable, number, object, optional, ref, string, time, unlimited } from '#/schema.ts'
import { uint16, uint32 } from '#/schemas/integers.ts'
import { byIdOf, page } from '#/schemas/page.ts'
import { ByteCount, ExactByteCount, Uuid } from '#/schemas/scalar.ts'

const tag = 'silo'

/** Of our own: words that a name has, in any order, each from the beginning of one. */
export const found = { find: optional(string({ maxLength: limits.find })) }

export const Group = ref('Group', object({ id: Uuid, displayName: string(unlimited), siloId: Uuid }))
export const User = ref(
  'User',
  object({
    id: Uuid, displayName: string(unlimited), siloId: Uuid,
    /** Of our own: what an identity system says of the person, absent where it does not. */
    fullName: optional(string(unlimited)), email: optional(string(unlimited)), timeDeactivated: optional(time()),
    /** Of our own: true for the user that a service account is to clients that know none, otherwise absent. */
    serviceAccount: optional(boolean()),
    /** Of our own: for those who may see the sessions of the user. */
    timeLastSignedIn: optional(time()),
  }),
)

export const groupList = op({
  method: 'GET', path: '/v1/groups', allow: 'user', ok: 200, tag,
  query: object({ ...byIdOf('siloGroup'), ...found, user: optional(Uuid) }), response: ref('GroupResultsPage', page(Group)),
})
export const groupView = op({
  method: 'GET', path: '/v1/groups/{group_id}', allow: 'user', ok: 200, tag,
  params: object({ groupId: Uuid }), response: Group,
})
export const userList = op({
  method: 'GET', path: '/v1/users', allow: 'user', ok: 200, tag,
  query: object({ ...byIdOf('siloUser'), ...found, group: optional(Uuid) }), response: ref('UserResultsPage', page(User)),
})
export const userView = op({
  method: 'GET', path: '/v1/users/{user_id}', allow: 'user', ok: 200, tag,
  params: object({ userId: Uuid }), response: User,
})

const counts = object({ cpus: integer({ format: 'int64' }), memory: ByteCount, storage: ByteCount })
/** The use of resources. */
export const VirtualResourceCounts = ref('VirtualResourceCounts', counts)
export const quotaAmounts = { cpus: exactInt64(), memory: ExactByteCount, storage: ExactByteCount }
/** The amounts that a quota allows. */
export const QuotaCounts = ref('VirtualResourceCounts', object(quotaAmounts))
const room = ref('Room', object({
  cpus: integer({ format: 'int64' }), memory: ByteCount,
  storage: optional(ByteCount),
}))
/** The room for new instances and disks, within the quota. Not part of the original API. */
export const roomFields = { placeable: optional(room), largest: optional(room) }
export const trend = {
  /** In addition each day: vCPUs, threads or bytes; negative if it becomes less. */
  perDay: nullable(number()),
  daysUntilFull: nullable(number()),
}
export const Trend = ref('CapacityTrend', object(trend))
/** Of our own: how long the quotas last, where a request asks for it. */
export const asksForTrends = { trends: optional(boolean()) }
export const trendFields = {
  trends: optional(ref('UsageTrends', object({ cpus: Trend, memory: Trend, storage: Trend }))),
}
export const utilizationView = op({
  method: 'GET', path: '/v1/utilization', allow: 'user', ok: 200, tag,
  // Of our own: the size of an instance, to learn how many of it fit.
  query: object({ ncpus: optional(uint16), memory: optional(ByteCount), ...asksForTrends }),
  response: ref('Utilization', object({
    provisioned: VirtualResourceCounts, capacity: QuotaCounts, ...roomFields, ...trendFields, fits: optional(uint32),
  })),
})

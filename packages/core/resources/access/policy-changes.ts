/** The roles that a new policy gives and takes, as an entry of the audit log shows them. */
import { namesText } from '#/audit/field-texts.ts'
import { noteChanges } from '#/audit/touched.ts'
import type { Resource } from '#/auth/admins.ts'
import type { Ctx, FieldChange } from '#/context.ts'
import type { RoleAssignmentTable } from '#/db/tables.ts'

export type AssignmentRow = Omit<RoleAssignmentTable, 'resourceType' | 'resourceId'>
type Row = AssignmentRow

interface Assignments {
  before: readonly Row[]
  after: readonly Row[]
}

const isSame = (a: Row, b: Row) => a.identityId === b.identityId && a.roleName === b.roleName

/** `admin`, `viewer until 2026-12-01T00:00:00Z` */
const roleText = ({ roleName, timeExpires }: Row): string =>
  timeExpires === null
    ? roleName
    : `${roleName} until ${new Date(timeExpires).toISOString().replace('.000Z', 'Z')}`

/** Notes what differs. The entry of a policy of the fleet, which is no object, has it at the users and groups. */
export async function notePolicy(
  ctx: Ctx,
  resource: Resource,
  { before, after }: Assignments,
): Promise<void> {
  const given = after.filter(
    (row) => !before.some((one) => isSame(one, row) && one.timeExpires === row.timeExpires),
  )
  const taken = before.filter((row) => !after.some((one) => isSame(one, row)))
  const identities = await identitiesOf(ctx, [...given, ...taken])
  if (resource.type === 'fleet') {
    for (const [id, { kind, name }] of identities) {
      const own = (rows: readonly Row[]) => rows.filter(({ identityId }) => identityId === id).map(roleText)
      noteChanges(
        ctx.unit,
        [kind, { id, displayName: name }],
        rolesChanges('fleet_roles', { given: own(given), taken: own(taken) }),
      )
    }
    return
  }
  const name = await nameOf(ctx, resource.type, resource.id)
  const whose = (row: Row) => {
    const identity = identities.get(row.identityId)
    const noun = row.identityType === 'silo_group' ? 'group ' : ''
    return `${noun}${identity?.name ?? row.identityId}`
  }
  noteChanges(
    ctx.unit,
    [resource.type, { id: resource.id, name }],
    rolesChanges('roles', {
      given: given.map((row) => `${roleText(row)} to ${whose(row)}`),
      taken: taken.map((row) => `${row.roleName} from ${whose(row)}`),
    }),
  )
}

const rolesChanges = (
  field: 'roles' | 'fleet_roles',
  { given, taken }: { given: readonly string[]; taken: readonly string[] },
): FieldChange[] => [
  ...(given.length > 0 ? [{ field: `${field}_given`, before: null, after: namesText(given) }] : []),
  ...(taken.length > 0 ? [{ field: `${field}_taken`, before: namesText(taken), after: null }] : []),
]

async function identitiesOf({ tx }: Ctx, rows: readonly Row[]) {
  const found = new Map<string, { kind: 'siloUser' | 'siloGroup'; name: string }>()
  for (const kind of ['siloUser', 'siloGroup'] as const) {
    const ids = rows
      .filter(({ identityType }) => (identityType === 'silo_user') === (kind === 'siloUser'))
      .map(({ identityId }) => identityId)
    if (ids.length === 0) continue
    const named = await tx.selectFrom(kind).select(['id', 'displayName']).where('id', 'in', ids).execute()
    for (const { id, displayName } of named) found.set(id, { kind, name: displayName })
  }
  return found
}

async function nameOf({ tx }: Ctx, kind: 'silo' | 'project', id: string): Promise<string> {
  const row = await tx.selectFrom(kind).select('name').where('id', '=', id).executeTakeFirst()
  return row?.name ?? id
}

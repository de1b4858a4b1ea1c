/** Silos are made, changed and deleted by operators. */
import { isOneOf } from '@purlin/contract/rules/keys'
import { typeOf } from '@purlin/contract/rules/kinds'
import { limits } from '@purlin/contract/rules/limits'
import { roles, type Role } from '@purlin/contract/rules/roles'
import { keepingAdmins } from '#/auth/admins.ts'
import { endingRaisedKeys } from '#/auth/raised-keys.ts'
import { permit, resolveInFleet } from '#/auth/resolve.ts'
import { endAllOf } from '#/auth/sessions.ts'
import { together } from '#/concurrency/together.ts'
import type { BodyOf, Ctx, Family } from '#/context.ts'
import { kindRows } from '#/db/kinds.ts'
import { insertRow } from '#/db/prepared.ts'
import { addPrincipalWords, nameKeyOf, unmanagedGroup } from '#/db/rows/principals.ts'
import { keepName } from '#/db/rows/usage-periods.ts'
import type { SiloTable, Tx } from '#/db/tables.ts'
import { Fault, fault } from '#/faults.ts'
import { sql } from 'kysely'
import { addCertificate } from './certificates.ts'
import { grantAdmin } from '../access/admin-group.ts'
import { permitConferred } from '../access/policies.ts'
import { deleteContainer, insertNamed, newIdentity, updateNamed } from '../kind/rows.ts'
import { plain } from '../kind/plain.ts'
import { quotaColumns, withUtilization } from './silo-quotas.ts'
import { siloView, wholeSilo } from './silos.ts'

const silo = plain('silo', {
  view: siloView,
  viewOne: wholeSilo,
  create,
  update: (ctx, row, body) =>
    keepingAdmins(ctx, row.id, () => endingRaisedKeys(ctx, { siloId: row.id }, () => update(ctx, row, body))),
  remove: (ctx, row) => keepingAdmins(ctx, null, () => remove(ctx, row)),
})

export const siloChanges: Family<keyof typeof silo.handlers | 'siloContentsView'> = {
  ...silo.handlers,

  async siloContentsView(ctx, { params }) {
    const { id } = await resolveInFleet(ctx, 'silo', params.silo)
    const [projects, images] = await together([countIn(ctx.tx, 'project', id), countIn(ctx.tx, 'image', id)])
    return { projects, images }
  },

  async siloList(ctx, { query }) {
    const page = await silo.handlers.siloList(ctx, { query })
    return query.utilization ? withUtilization(ctx, page) : page
  },
}

/** The number of the resources of a silo that prevent its deletion, as far as lists count. */
async function countIn(tx: Tx, kind: 'project' | 'image', silo: string): Promise<number> {
  const some = tx
    .selectFrom(kind)
    .select('id')
    .where(sql.ref(kindRows[kind].blocks.silo), '=', silo)
    .limit(limits.lists.counted)
  const { count } = await tx
    .selectFrom(some.as('some'))
    .select((eb) => eb.fn.countAll<number | string>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

async function create(ctx: Ctx, _: unknown, body: BodyOf<'siloCreate'>): Promise<SiloTable> {
  const mappedFleetRolesJson = mappingOf(ctx, body.mappedFleetRoles)
  const silo = await insertNamed(ctx, 'silo', {
    ...newIdentity(ctx, body),
    identityMode: body.identityMode,
    discoverable: body.discoverable ? 1 : 0,
    mappedFleetRolesJson,
    adminGroupName: body.adminGroupName ?? null,
    ...quotaColumns('create', body.quotas),
    rcgen: 0,
    deviceTokenMaxTtl: null,
    needsSecondFactor: null,
  })
  await insertRow(ctx.tx, 'usage', { id: silo.id, cpus: 0, memory: 0, storage: 0 })
  if (silo.adminGroupName !== null) await makeAdmins(ctx, silo, silo.adminGroupName)
  for (const [index, certificate] of body.tlsCertificates.entries())
    await addCertificate(ctx, silo, certificate).catch((error: unknown) => {
      const entry = { list: 'tls_certificates', index, name: certificate.name }
      throw error instanceof Fault ? fault.ofEntry(entry, error) : error
    })
  return silo
}

async function update(ctx: Ctx, silo: SiloTable, body: BodyOf<'siloUpdate'>): Promise<SiloTable> {
  const { description, discoverable, adminGroupName, mappedFleetRoles } = body
  if (adminGroupName != null && adminGroupName !== silo.adminGroupName) {
    await permitConferred(ctx, silo.id)
    await makeAdmins(ctx, silo, adminGroupName)
  }
  return updateNamed(ctx, ['silo', silo], {
    timeModified: ctx.now,
    ...(description != null ? { description } : {}),
    ...(discoverable != null ? { discoverable: discoverable ? 1 : 0 } : {}),
    ...(adminGroupName != null ? { adminGroupName } : {}),
    ...(mappedFleetRoles != null
      ? { mappedFleetRolesJson: mappingOf(ctx, mappedFleetRoles, silo.mappedFleetRolesJson) }
      : {}),
  })
}

/** The mapping as it is stored. Throws 400 for unknown roles, and 403 if only an admin of the fleet may make it. */
function mappingOf(ctx: Ctx, mapped: Record<string, Role[]>, before = '{}'): string {
  const unknown = Object.keys(mapped).find((role) => !isOneOf(roles, role))
  if (unknown !== undefined)
    throw fault.invalidValue(
      'mapped_fleet_roles',
      `no role of silos has this name: it must be one of ${roles.join(', ')}`,
    )
  const used = roles.flatMap((role) => {
    const given = new Set(mapped[role])
    return given.size > 0 ? [[role, roles.filter((one) => given.has(one))]] : []
  })
  const json = JSON.stringify(Object.fromEntries(used))
  if (json !== before) permit(ctx, 'fleet.admin')
  return json
}

/**
 * Makes the members of a group administrators of its silo. A group that does not exist is made, unless an identity system
 * makes the groups: then it becomes one once that has made it.
 */
async function makeAdmins(ctx: Ctx, silo: SiloTable, displayName: string): Promise<void> {
  const { tx, now } = ctx
  const { id: siloId, identityMode } = silo
  const isManaged = identityMode === 'saml_scim'
  const found = await tx
    .selectFrom('siloGroup')
    .select('id')
    .where('siloId', '=', siloId)
    .where((eb) =>
      isManaged ? eb('nameKey', '=', nameKeyOf(displayName)) : eb('displayName', '=', displayName),
    )
    .executeTakeFirst()
  if (!found && isManaged) return
  const group = { id: found?.id ?? ctx.world.ids.uuid(), siloId, displayName }
  if (!found) {
    await insertRow(tx, 'siloGroup', { ...group, ...unmanagedGroup, timeCreated: now, timeModified: now })
    await addPrincipalWords(tx, [group])
  }
  await grantAdmin(tx, group)
}

/** Deletes an empty silo, with its users and groups. Throws 400. */
async function remove(ctx: Ctx, silo: SiloTable): Promise<void> {
  const { tx } = ctx
  await deleteContainer(ctx, ['silo', silo], ({ kind }) =>
    fault.invalid(`silo to be deleted contains a ${typeOf(kind, {}).replaceAll('-', ' ')}`),
  )
  await deletePrincipals(ctx, silo.id)
  const providers = tx.selectFrom('identityProvider').select('id').where('siloId', '=', silo.id)
  for (const table of ['samlProvider', 'oidcProvider'] as const)
    await tx.deleteFrom(table).where('id', 'in', providers).execute()
  await tx.deleteFrom('signInTest').where('providerId', 'in', providers).execute()
  for (const table of [
    'ipPoolSilo',
    'certificate',
    'scimToken',
    'serviceAccount',
    'identityProvider',
    'siloMachineSize',
  ] as const)
    await tx.deleteFrom(table).where('siloId', '=', silo.id).execute()
  await tx.deleteFrom('usage').where('id', '=', silo.id).execute()
  await keepName(ctx, 'inSilo', silo)
  await tx
    .deleteFrom('roleAssignment')
    .where('resourceType', '=', 'silo')
    .where('resourceId', '=', silo.id)
    .execute()
}

/** Deletes all users and groups of a silo with everything that only they have, and their roles anywhere. */
async function deletePrincipals({ tx }: Ctx, siloId: string): Promise<void> {
  const users = tx.selectFrom('siloUser').select('id').where('siloId', '=', siloId)
  const groups = tx.selectFrom('siloGroup').select('id').where('siloId', '=', siloId)
  const keys = tx.selectFrom('sshKey').select('id').where('siloUserId', 'in', users)
  await tx.deleteFrom('instanceSshKey').where('sshKeyId', 'in', keys).execute()
  for (const table of ['sshKey', 'secondFactor', 'recoveryCode', 'firstSteps'] as const)
    await tx.deleteFrom(table).where('siloUserId', 'in', users).execute()
  await tx.deleteFrom('listView').where('userId', 'in', users).execute()
  await tx.deleteFrom('tally').where('holderId', 'in', users).execute()
  await endAllOf(tx, users)
  await tx.deleteFrom('groupMember').where('groupId', 'in', groups).execute()
  for (const principals of [users, groups])
    await tx.deleteFrom('roleAssignment').where('identityId', 'in', principals).execute()
  for (const table of ['principalWord', 'principalKey'] as const)
    await tx.deleteFrom(table).where('siloId', '=', siloId).execute()
  await tx.deleteFrom('siloUser').where('siloId', '=', siloId).execute()
  await tx.deleteFrom('siloGroup').where('siloId', '=', siloId).execute()
}

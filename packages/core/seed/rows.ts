/** Rows that are there before anyone can sign in: silos, their users and pools. First start, demo and tests use them. */
import { keyOf, parseIp, type Address } from '@purlin/contract/rules/network/ip'
import { TiB } from '@purlin/contract/rules/limits'
import type { Role } from '@purlin/contract/rules/roles'
import { withoutRequest, type World } from '#/context.ts'
import { addPrincipalWords } from '#/db/rows/principals.ts'
import { addToSearch } from '#/db/lists/search-index.ts'
import type {
  IdentityProviderTable,
  OidcProviderTable,
  RoleAssignmentTable,
  SamlProviderTable,
  SiloTable,
  Tx,
} from '#/db/tables.ts'
import type { OidcMetadata, SamlMetadata } from '#/ports.ts'
import { insertNamed } from '#/resources/kind/rows.ts'
import { readColumns } from '#/resources/silos/provider-metadata.ts'
import { metadataColumns } from '#/resources/silos/saml-providers.ts'

type Made = Pick<World, 'ids' | 'clock'>

const identityOf = (world: Made, from: { name: string; description?: string }) => {
  const now = world.clock.now()
  return {
    id: world.ids.uuid(),
    name: from.name,
    description: from.description ?? '',
    timeCreated: now,
    timeModified: now,
  }
}

export interface NewSilo {
  name: string
  description: string
  mappedFleetRoles: Partial<Record<Role, Role[]>>
  quota?: { cpus: number; memory: number; storage: number }
}

/** Makes a silo with local users and returns its id. */
export async function createSilo(world: Made, tx: Tx, silo: NewSilo): Promise<string> {
  const identity = identityOf(world, silo)
  const quota = silo.quota ?? { cpus: 1024, memory: 8 * TiB, storage: 512 * TiB }
  const row: SiloTable = {
    ...identity,
    identityMode: 'local_only',
    discoverable: 1,
    mappedFleetRolesJson: JSON.stringify(silo.mappedFleetRoles),
    adminGroupName: null,
    quotaCpus: quota.cpus,
    quotaMemory: quota.memory,
    quotaStorage: quota.storage,
    rcgen: 0,
    deviceTokenMaxTtl: null,
    needsSecondFactor: null,
  }
  await tx.insertInto('silo').values(row).execute()
  await addToSearch(tx, 'silo', row)
  await tx.insertInto('usage').values({ id: identity.id, cpus: 0, memory: 0, storage: 0 }).execute()
  return identity.id
}

/** Makes a local user and returns its id. */
export async function createUser(
  world: Made,
  tx: Tx,
  user: { siloId: string; name: string; passwordHash: string | null },
): Promise<string> {
  const now = world.clock.now()
  const id = world.ids.uuid()
  await tx
    .insertInto('siloUser')
    .values({
      id,
      siloId: user.siloId,
      externalId: user.name,
      displayName: user.name,
      passwordHash: user.passwordHash,
      timeDeactivated: null,
      timeLastSignedIn: 0,
      timeCreated: now,
      timeModified: now,
    })
    .execute()
  await addPrincipalWords(tx, [{ id, siloId: user.siloId, displayName: user.name }])
  return id
}

/** Makes a group with members and returns its id. */
export async function createGroup(
  world: Made,
  tx: Tx,
  group: { siloId: string; displayName: string; userIds: string[] },
): Promise<string> {
  const now = world.clock.now()
  const id = world.ids.uuid()
  await tx
    .insertInto('siloGroup')
    .values({ id, siloId: group.siloId, displayName: group.displayName, timeCreated: now, timeModified: now })
    .execute()
  await addPrincipalWords(tx, [{ id, ...group }])
  for (const userId of group.userIds)
    await tx.insertInto('groupMember').values({ groupId: id, userId }).execute()
  return id
}

/** Assigns a role, without end unless a time is given. */
export async function grant(
  tx: Tx,
  assignment: Omit<RoleAssignmentTable, 'timeExpires'> & { timeExpires?: number | null },
): Promise<void> {
  await tx
    .insertInto('roleAssignment')
    .values({ timeExpires: null, ...assignment })
    .execute()
}

export interface NewPool {
  name: string
  description: string
  /** first and last address of each range, as text */
  ranges: [string, string][]
  silos: { siloId: string; isDefault: boolean }[]
}

/** Makes an IP pool with ranges, linked to silos, and returns its id. */
export async function createPool(world: Made, tx: Tx, pool: NewPool): Promise<string> {
  const identity = identityOf(world, pool)
  const row = { ...identity, rcgen: 0, ipVersion: 'v4', purpose: null }
  await tx.insertInto('ipPool').values(row).execute()
  await addToSearch(tx, 'ipPool', row)
  for (const [first, last] of pool.ranges) {
    const [firstKey, lastKey] = [parseIp(first), parseIp(last)].map((address) =>
      keyOf(address as Address),
    ) as [string, string]
    await tx
      .insertInto('ipPoolRange')
      .values({
        id: world.ids.uuid(),
        ipPoolId: identity.id,
        firstKey,
        lastKey,
        nextKey: firstKey,
        timeCreated: identity.timeCreated,
      })
      .execute()
  }
  for (const { siloId, isDefault } of pool.silos)
    await tx
      .insertInto('ipPoolSilo')
      .values({ ipPoolId: identity.id, siloId, isDefault: isDefault ? 1 : 0 })
      .execute()
  return identity.id
}

export interface NewProvider {
  siloId: string
  name: string
  description: string
  settings: Pick<SamlProviderTable, 'entityId' | 'serviceEntityId' | 'acsUrl' | 'groupAttribute'>
  metadata: SamlMetadata
}

/** Makes an identity provider, with metadata that is not read again, and returns its id. */
export async function createProvider(world: World, tx: Tx, provider: NewProvider): Promise<string> {
  const { settings, metadata } = provider
  const identity = await insertProvider(world, tx, { ...provider, providerType: 'saml' })
  await tx
    .insertInto('samlProvider')
    .values({
      id: identity.id,
      ...settings,
      sloUrl: '',
      contactEmail: '',
      publicCert: null,
      privateKey: null,
      ...metadataColumns(metadata, null, identity.timeCreated),
    })
    .execute()
  return identity.id
}

export interface NewOidcProvider {
  siloId: string
  name: string
  description: string
  settings: Pick<OidcProviderTable, 'issuer' | 'clientId' | 'clientSecret' | 'nameClaim' | 'groupsClaim'>
  metadata: OidcMetadata
}

/** Makes an identity provider of OpenID Connect, and returns its id. */
export async function createOidcProvider(world: World, tx: Tx, provider: NewOidcProvider): Promise<string> {
  const { settings, metadata } = provider
  const { id, timeCreated } = await insertProvider(world, tx, { ...provider, providerType: 'oidc' })
  await tx
    .insertInto('oidcProvider')
    .values({
      id,
      ...settings,
      scopesJson: '["openid","profile","email"]',
      metadataJson: JSON.stringify(metadata),
      ...readColumns(timeCreated),
    })
    .execute()
  return id
}

async function insertProvider(
  world: World,
  tx: Tx,
  provider: Pick<IdentityProviderTable, 'siloId' | 'name' | 'description' | 'providerType'>,
) {
  const { siloId, providerType } = provider
  const row = { ...identityOf(world, provider), siloId, providerType }
  await insertNamed({ ...withoutRequest(tx), world }, 'identityProvider', row)
  return row
}

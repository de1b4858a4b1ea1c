/** The access part of the demo: a silo with SCIM, tokens, certificates, and roles that expire. */
import type { Client } from '@purlin/contract/client'
import type { Operations } from '@purlin/contract/operations'
import type { Pair } from '@purlin/contract/rules/credentials/certificate-checks'
import { defaultZone, hostOfSilo } from '@purlin/contract/rules/credentials/certificates'
import { GiB } from '@purlin/contract/rules/limits'
import type { World } from '#/context.ts'
import { fleetId } from '#/db/rows/fleet.ts'
import type { Tx } from '#/db/tables.ts'
import { createGroup, createOidcProvider, createProvider, grant } from './rows.ts'

/** Makes a certificate and its key, as those who run the demo can. */
export type MakeCertificate = (of: {
  commonName: string
  dnsNames: readonly string[]
  notBefore: Date
  notAfter: Date
}) => Promise<Pair>

const dayMs = 24 * 60 * 60_000

interface Ids {
  silos: Record<string, string>
  users: Map<string, string>
  projects: Record<string, string>
}

/** A group whose roles expire, an operator whose role does, and access tokens made over the last months. */
export async function makeExpiring(world: World, tx: Tx, { silos, users, projects }: Ids): Promise<void> {
  const now = world.clock.now()
  const user = (name: string) => users.get(name) ?? ''
  const siloId = silos['engineering'] ?? ''
  const contractors = await createGroup(world, tx, {
    siloId,
    displayName: 'contractors',
    userIds: [user('uma-krishnan')],
  })
  const group = { identityType: 'silo_group', identityId: contractors } as const
  const silo = { resourceType: 'silo', resourceId: siloId } as const
  const telemetry = { resourceType: 'project', resourceId: projects['telemetry'] ?? '' } as const
  await grant(tx, { ...silo, ...group, roleName: 'viewer', timeExpires: now + 9 * dayMs })
  await grant(tx, { ...telemetry, ...group, roleName: 'collaborator', timeExpires: now + 2 * dayMs })
  await tx
    .updateTable('roleAssignment')
    .set({ timeExpires: now + 90 * dayMs })
    .where('resourceId', '=', fleetId)
    .where('identityId', '=', user('victor-hale'))
    .execute()
  for (const { of, madeAgo, validFor } of tokens)
    await tx
      .insertInto('accessToken')
      .values({
        id: world.ids.uuid(),
        tokenHash: world.passwords.fingerprint(world.ids.uuid()),
        siloUserId: user(of),
        timeCreated: now - madeAgo * dayMs,
        timeExpires: validFor === null ? null : now + (validFor - madeAgo) * dayMs,
      })
      .execute()
}

/** In days. */
const tokens: readonly { of: string; madeAgo: number; validFor: number | null }[] = [
  { of: 'hanna-okafor', madeAgo: 210, validFor: null },
  { of: 'hanna-okafor', madeAgo: 87, validFor: 90 },
  { of: 'hanna-okafor', madeAgo: 4, validFor: 365 },
  { of: 'joel-lindqvist', madeAgo: 30, validFor: 180 },
  { of: 'tariq-aziz', madeAgo: 12, validFor: 30 },
]

/** A silo whose users another program manages, with the tokens of that program, and the provider they sign in with. */
export async function makeScimSilo(world: World, operator: Client<Operations>): Promise<void> {
  const { id } = await operator.siloCreate({
    body: {
      name: 'manufacturing',
      description: 'The plants; their directory manages the users',
      discoverable: true,
      identityMode: 'saml_scim',
      quotas: { cpus: 64, memory: 256 * GiB, storage: 4096 * GiB },
      tlsCertificates: [],
      mappedFleetRoles: {},
    },
  })
  for (const name of ['Directory of the plants', 'Directory, former key'])
    await operator.scimTokenCreate({ query: { silo: 'manufacturing', name } })
  await world.engine.transaction('write', (tx) =>
    createProvider(world, tx, { ...corporate, siloId: id, metadata: metadataAt(world.clock.now()) }),
  )
  await world.engine.transaction('write', (tx) => createOidcProvider(world, tx, { ...partners, siloId: id }))
}

const entityId = 'https://login.example.com/saml'
const host = hostOfSilo('manufacturing', defaultZone)
const corporate = {
  name: 'corporate',
  description: 'The directory of the plants',
  settings: {
    entityId,
    serviceEntityId: `https://${host}`,
    acsUrl: `https://${host}/login/manufacturing/saml/corporate`,
    groupAttribute: 'groups',
  },
}
const issuer = 'https://id.example.com'
const partners = {
  name: 'partners',
  description: 'People of other companies who maintain the machines',
  settings: {
    issuer,
    clientId: 'manufacturing',
    // Of an issuer that does not exist.
    clientSecret: 'demo',
    nameClaim: 'sub',
    groupsClaim: 'groups',
  },
  metadata: {
    issuer,
    signOnUrl: `${issuer}/authorize`,
    tokenUrl: `${issuer}/token`,
    keysUrl: `${issuer}/keys`,
    userInfoUrl: null,
    algorithms: ['RS256'],
    secretIn: 'header' as const,
    namesItself: false,
  },
}
/** Nothing can be signed with its certificate, because there is none. */
const metadataAt = (now: number) => ({
  entityId,
  signOnUrl: 'https://login.example.com/saml/sso',
  certificates: [
    {
      der: '',
      subject: 'CN=login.example.com',
      fingerprint: Array.from({ length: 32 }, (_, i) => ((i * 37) % 256).toString(16).padStart(2, '0'))
        .join(':')
        .toUpperCase(),
      notAfter: now + 400 * dayMs,
    },
  ],
})

/** Programs that work in a project of the silo: one that deploys, and one that only looks. */
export async function makeServiceAccounts(admin: Client<Operations>): Promise<void> {
  const query = { silo: 'engineering' }
  const project = 'storefront'
  const { roleAssignments } = await admin.projectPolicyView({ params: { project } })
  for (const { name, description, roleName, key } of programs) {
    const { id } = await admin.serviceAccountCreate({ query, body: { name, description } })
    roleAssignments.push({ identityType: 'silo_user', identityId: id, roleName })
    await admin.serviceAccountKeyCreate({
      params: { serviceAccount: name },
      query,
      body: { ...key, project },
    })
  }
  await admin.projectPolicyUpdate({ params: { project }, body: { roleAssignments } })
}

const daySeconds = 24 * 60 * 60
const programs = [
  {
    name: 'pipeline',
    description: 'Rolls out the shop after its tests',
    roleName: 'collaborator',
    key: { name: 'main-branch', ttlSeconds: 90 * daySeconds, readOnly: false },
  },
  {
    name: 'wallboard',
    description: 'Shows on the wall what runs',
    roleName: 'viewer',
    key: { name: 'hallway', ttlSeconds: 365 * daySeconds, readOnly: true },
  },
] as const

/** Of a silo: one certificate that is to be replaced soon, and the one that replaces it. */
export async function makeCertificates(world: World, admin: Client<Operations>, make: MakeCertificate) {
  const now = world.clock.now()
  const host = hostOfSilo('engineering', world.zone ?? defaultZone)
  for (const { name, description, from, until } of certificates) {
    const [notBefore, notAfter] = [from, until].map((days) => new Date(now + days * dayMs)) as [Date, Date]
    const { cert, key } = await make({ commonName: host, dnsNames: [host], notBefore, notAfter })
    await admin.certificateCreate({ body: { name, description, cert, key, service: 'external_api' } })
  }
}

/** In days from now. */
const certificates = [
  { name: 'console-first', description: 'Made when the silo was', from: -360, until: 5.5 },
  { name: 'console-next', description: 'Replaces the first one', from: -2, until: 363 },
] as const

/**
 * The demo world: three silos, a user in every role, three projects with instances in every state, disks,
 * images, VPCs and pools. Preview, end-to-end tests and benchmarks use it as well. All that has an
 * operation is made through it, as a user would; the rest are rows.
 */
import { createClient, type Client } from '@purlin/contract/client'
import { operations, type Operations } from '@purlin/contract/operations'
import { GiB } from '@purlin/contract/rules/limits'
import type { Role } from '@purlin/contract/rules/roles'
import type { InstanceState } from '@purlin/contract/rules/states'
import type { Tx } from '#/db/tables.ts'
import { createDispatcher } from '#/http/dispatch.ts'
import { fleetId } from '#/db/rows/fleet.ts'
import { sessionsOf } from '#/auth/sessions.ts'
import {
  makeCertificates,
  makeExpiring,
  makeScimSilo,
  makeServiceAccounts,
  type MakeCertificate,
} from './access.ts'
import { giveHistory } from './history.ts'
import { makeAddressLots, makeUplinks } from './networking.ts'
import { makeBundle } from './bundles.ts'
import { makeReceivers } from './alerts.ts'
import { makeMachineSizes } from './machine-sizes.ts'
import { makeProbe } from './probes.ts'
import { makeReleases, type DemoReleases } from './updates.ts'
import { insertChild } from '#/resources/kind/rows.ts'
import { makePastUse, makePrices } from './usage.ts'
import { createGroup, createPool, createSilo, createUser, grant } from './rows.ts'
import { withoutRequest, type World } from '#/context.ts'

export { demoPastMs } from './history.ts'
export { moveDemo } from './times.ts'
export type { DemoReleases } from './updates.ts'

export interface DemoUser {
  silo: string
  user: string
  password: string
  role: string
}

export const demoPassword = 'drafting-table'

type Level = 'fleet' | 'silo' | 'project'
interface Person {
  silo: 'engineering' | 'research'
  name: string
  level?: Level
  role?: Role
}
const people: readonly Person[] = [
  { silo: 'engineering', name: 'hanna-okafor', level: 'silo', role: 'admin' },
  { silo: 'engineering', name: 'joel-lindqvist', level: 'silo', role: 'collaborator' },
  { silo: 'engineering', name: 'mei-tanaka', level: 'silo', role: 'viewer' },
  { silo: 'engineering', name: 'omar-haddad', level: 'project', role: 'admin' },
  { silo: 'engineering', name: 'piotr-nowak', level: 'project', role: 'collaborator' },
  { silo: 'engineering', name: 'rosa-lima', level: 'project', role: 'viewer' },
  { silo: 'engineering', name: 'sofia-reyes' },
  { silo: 'engineering', name: 'tariq-aziz', level: 'fleet', role: 'admin' },
  { silo: 'engineering', name: 'uma-krishnan', level: 'fleet', role: 'collaborator' },
  { silo: 'engineering', name: 'victor-hale', level: 'fleet', role: 'viewer' },
  { silo: 'research', name: 'lena-vogt', level: 'silo', role: 'admin' },
]
const describeRole = ({ level, role }: Person) =>
  level && role ? `${level} ${role}${level === 'project' ? ' (telemetry)' : ''}` : 'no role'

const images = [
  { name: 'alpine-3-22', os: 'alpine', version: '3.22', size: GiB },
  { name: 'debian-13', os: 'debian', version: '13', size: 3 * GiB },
  { name: 'rocky-10', os: 'rocky', version: '10', size: 10 * GiB },
  { name: 'ubuntu-24-04', os: 'ubuntu', version: '24.04', size: 4 * GiB },
]
/** The SHA-256 of this many zeros, which are the content of the demo's images. */
export const digestOfZeros: Record<number, string> = {
  [1 * GiB]: '49bc20df15e412a64472421e13fe86ff1c5165e18b2afccf160d4dc19fe68a14',
  [3 * GiB]: '305b66a59d15b252092fbda9d09711230c429f351897cbd430e7b55a35fd3b97',
  [4 * GiB]: '8479e43911dc45e89f934fe48d01297e16f51d17aa561d4d1c216b1ae0fcddca',
  [10 * GiB]: '732377e7f4a2abdc13ddfa1eb4c9c497fd2a2b294674d056cf51581b47dd586d',
  [12 * GiB]: 'a4e7629528d07ac11c710193c10455ddf7e3f6294bbf1471d4262a9695083a8b',
}

/** The users that can sign in to the demo. */
export const demoUsers: DemoUser[] = people.map((person) => ({
  silo: person.silo,
  user: person.name,
  password: demoPassword,
  role: describeRole(person),
}))

/** Parts of the demo that core cannot make: without them it has none. */
export interface DemoParts {
  makeCertificate?: MakeCertificate
  releases?: DemoReleases
}

/** Creates the demo unless the database has it. */
export async function seedDemo(world: World, { makeCertificate, releases }: DemoParts = {}): Promise<void> {
  if (await world.engine.transaction('read', isThere)) return
  const hash = await world.passwords.hash(demoPassword)
  const made = await world.engine.transaction('write', async (tx) =>
    (await isThere(tx)) ? null : populate(world, tx, hash),
  )
  if (!made) return
  const as = clients(world)
  const admin = as(made.tokens.get('hanna-okafor') ?? '')
  const projects = await makeProjects(admin)
  await world.engine.transaction('write', async (tx) => {
    await makeRows(world, tx, { ...made, projects })
    await makeExpiring(world, tx, { ...made, projects })
  })
  await makeInstances(admin)
  await makeSchedule(admin, world.clock.now())
  await makeEveningStop(admin)
  await makeNightlySnapshots(admin)
  await makeTemplate(admin)
  await world.engine.transaction('write', (tx) =>
    setStates(tx, projects['telemetry'] ?? '', world.clock.now()),
  )
  await makeInstances(as(made.tokens.get('lena-vogt') ?? ''), 'research')
  await makeScimSilo(world, as(made.tokens.get('tariq-aziz') ?? ''))
  await makeAddressLots(as(made.tokens.get('tariq-aziz') ?? ''))
  await makeUplinks(as(made.tokens.get('tariq-aziz') ?? ''))
  await makeReceivers(as(made.tokens.get('tariq-aziz') ?? ''))
  await makeProbe(world, as(made.tokens.get('tariq-aziz') ?? ''), {
    projectId: projects['telemetry'] ?? '',
    userId: made.users.get('tariq-aziz') ?? '',
  })
  if (world.bundles) await makeBundle(as(made.tokens.get('tariq-aziz') ?? ''))
  if (releases) await makeReleases(as(made.tokens.get('tariq-aziz') ?? ''), releases)
  if (makeCertificate) await makeCertificates(world, admin, makeCertificate)
  await makeServiceAccounts(admin)
  await makeMachineSizes(as(made.tokens.get('tariq-aziz') ?? ''))
  await makePrices(as(made.tokens.get('tariq-aziz') ?? ''))
  await world.engine.transaction('write', async (tx) => {
    await giveHistory(world, tx)
    await makePastUse(world, tx, { siloId: made.silos['engineering'] ?? '', projects })
  })
}

const isThere = async (tx: Tx): Promise<boolean> =>
  (await tx.selectFrom('silo').select('id').where('name', '=', 'engineering').executeTakeFirst()) !==
  undefined

interface Made {
  silos: Record<string, string>
  users: Map<string, string>
  tokens: Map<string, string>
}

async function populate(world: World, tx: Tx, hash: string): Promise<Made> {
  const silos: Record<string, string> = {}
  silos['engineering'] = await createSilo(world, tx, {
    name: 'engineering',
    description: 'Engineering at large',
    mappedFleetRoles: {},
  })
  silos['research'] = await createSilo(world, tx, {
    name: 'research',
    description: 'Research, with a small quota',
    mappedFleetRoles: {},
    quota: { cpus: 32, memory: 128 * GiB, storage: 2048 * GiB },
  })
  const users = new Map<string, string>()
  const tokens = new Map<string, string>()
  for (const { silo, name, level, role } of people) {
    const siloId = silos[silo] ?? ''
    const id = await createUser(world, tx, { siloId, name, passwordHash: hash })
    users.set(name, id)
    if (level && level !== 'project' && role)
      await grant(tx, {
        resourceType: level,
        resourceId: level === 'fleet' ? fleetId : siloId,
        identityType: 'silo_user',
        identityId: id,
        roleName: role,
      })
  }
  for (const name of ['hanna-okafor', 'lena-vogt', 'tariq-aziz'])
    tokens.set(name, await sessionsOf(world).start(tx, users.get(name) ?? ''))
  const member = (name: string) => users.get(name) ?? ''
  await createGroup(world, tx, {
    siloId: silos['engineering'],
    displayName: 'on-call',
    userIds: [member('hanna-okafor'), member('joel-lindqvist')],
  })
  const team = await createGroup(world, tx, {
    siloId: silos['engineering'],
    displayName: 'platform-team',
    userIds: [member('hanna-okafor'), member('mei-tanaka')],
  })
  await grant(tx, {
    resourceType: 'silo',
    resourceId: silos['engineering'],
    identityType: 'silo_group',
    identityId: team,
    roleName: 'viewer',
  })
  const both = Object.values(silos)
  await createPool(world, tx, {
    name: 'public-v4',
    description: 'Addresses reachable from the internet',
    ranges: [['203.0.113.8', '203.0.113.250']],
    silos: both.map((siloId) => ({ siloId, isDefault: true })),
  })
  await createPool(world, tx, {
    name: 'office',
    description: 'Addresses reachable from the offices only',
    ranges: [['10.90.4.10', '10.90.4.200']],
    silos: [{ siloId: silos['engineering'], isDefault: false }],
  })
  return { silos, users, tokens }
}

/** Clients of this world's dispatcher, each with a session. */
function clients(world: World): (token: string) => Client<Operations> {
  const { dispatch } = createDispatcher(world, { wake: () => undefined })
  return (token) =>
    createClient(operations, (request) =>
      dispatch({
        ...request,
        remote: '127.0.0.1',
        headers: { ...request.headers, cookie: `session=${token}` },
      }),
    )
}

const projectList = [
  { name: 'batch-lab', description: 'Short-lived workers, many of them' },
  { name: 'storefront', description: 'The shop and its services' },
  { name: 'telemetry', description: 'Collects, keeps and answers questions about measurements' },
]

async function makeProjects(admin: Client<Operations>): Promise<Record<string, string>> {
  const made: Record<string, string> = {}
  for (const body of projectList) made[body.name] = (await admin.projectCreate({ body })).id
  await makeBackend(admin)
  await admin.currentUserSshKeyCreate({
    body: {
      name: 'workstation',
      description: 'The machine on my desk',
      publicKey:
        'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8g hanna@workstation',
    },
  })
  return made
}

/** A VPC with one of everything that a VPC can have. */
async function makeBackend(admin: Client<Operations>): Promise<void> {
  const query = { project: 'storefront', vpc: 'backend' }
  const vpc = { name: 'backend', description: 'No way in but through the gateway', dnsName: 'backend' }
  await admin.vpcCreate({ query: { project: 'storefront' }, body: vpc })
  const router = { name: 'inner', description: 'For subnets that stay inside' }
  await admin.vpcRouterCreate({ query, body: router })
  await admin.vpcRouterRouteCreate({
    query: { ...query, router: 'inner' },
    body: {
      name: 'stay',
      description: 'No access to the internet',
      destination: { type: 'ip_net', value: '0.0.0.0/0' },
      target: { type: 'drop' },
    },
  })
  const subnet = {
    name: 'databases',
    description: 'Only databases live here',
    ipv4Block: '10.40.0.0/24',
    customRouter: 'inner',
  }
  await admin.vpcSubnetCreate({ query, body: subnet })
  const address = {
    name: 'partner',
    description: 'The address that a partner lets in',
    address: '203.0.113.7',
  }
  await admin.internetGatewayIpAddressCreate({ query: { ...query, gateway: 'default' }, body: address })
}

async function makeRows(
  world: World,
  tx: Tx,
  made: Made & { projects: Record<string, string> },
): Promise<void> {
  const now = world.clock.now()
  const identity = (name: string, description: string) => ({
    id: world.ids.uuid(),
    name,
    description,
    timeCreated: now,
    timeModified: now,
  })
  const imageBase = {
    blockSize: 512,
    digestDueAt: null,
    layerId: null,
    isProtected: null,
    tagsJson: null,
    timeLastUsed: 0,
  }
  for (const siloId of Object.values(made.silos))
    for (const { name, ...image } of images)
      await insertChild({ ...withoutRequest(tx), world }, 'image', {
        ...identity(name, `${image.os} ${image.version}, as its makers publish it`),
        ...imageBase,
        ...image,
        digest: digestOfZeros[image.size] ?? null,
        siloId,
        projectId: null,
        scopeId: siloId,
      })
  const telemetry = made.projects['telemetry'] ?? ''
  const golden = {
    ...imageBase,
    os: 'debian',
    version: '13',
    size: 12 * GiB,
    digest: digestOfZeros[12 * GiB] ?? null,
    siloId: made.silos['engineering'] ?? '',
    projectId: telemetry,
    scopeId: telemetry,
  }
  const collector = { ...identity('collector-golden', 'Debian with the collector built in'), ...golden }
  await insertChild({ ...withoutRequest(tx), world }, 'image', collector)
  for (const person of people)
    if (person.level === 'project' && person.role)
      await grant(tx, {
        resourceType: 'project',
        resourceId: telemetry,
        identityType: 'silo_user',
        identityId: made.users.get(person.name) ?? '',
        roleName: person.role,
      })
}

interface Sample {
  project: string
  name: string
  size: [cpus: number, memoryGiB: number]
  start?: boolean
  disk?: number
  /** an anti-affinity group of the project */
  apart?: string
}
const apart = 'collectors-apart'
const samples: readonly Sample[] = [
  { project: 'telemetry', name: 'collector-01', size: [8, 32], start: true, disk: 40, apart },
  { project: 'telemetry', name: 'collector-02', size: [8, 32], start: true, disk: 40, apart },
  { project: 'telemetry', name: 'ingest-gateway', size: [2, 8], disk: 20 },
  ...(['creating', 'starting', 'stopping', 'rebooting', 'migrating', 'repairing', 'failed'] as const).map(
    (state): Sample => ({
      project: 'telemetry',
      name: `query-${state}`,
      size: [4, 16],
    }),
  ),
  { project: 'storefront', name: 'shop-a', size: [4, 16], start: true, disk: 20 },
  { project: 'storefront', name: 'shop-b', size: [4, 16], start: true, disk: 20 },
  { project: 'storefront', name: 'shop-db', size: [8, 64], disk: 100 },
  ...Array.from({ length: 64 }, (_, i): Sample => ({
    project: 'batch-lab',
    name: `worker-${String(i + 1).padStart(3, '0')}`,
    size: [2, 4],
  })),
]

async function makeInstances(admin: Client<Operations>, only?: 'research'): Promise<void> {
  if (only) {
    await admin.projectCreate({
      body: { name: 'protein-folding', description: 'Long runs on a small quota' },
    })
    await makeInstance(admin, {
      project: 'protein-folding',
      name: 'fold-1',
      size: [4, 16],
      start: true,
      disk: 20,
    })
    return
  }
  const { items } = await admin.imageList({ query: {} })
  const debian = items.find((image) => image.name === 'debian-13')?.id
  const query = { project: 'telemetry' }
  const description = 'Both collectors shall not be lost with one machine'
  await admin.antiAffinityGroupCreate({
    query,
    body: { name: apart, description, policy: 'allow', failureDomain: 'sled' },
  })
  for (const sample of samples) await makeInstance(admin, sample, debian)
  const front = {
    name: 'ingest',
    description: 'Where devices send their measurements',
    tags: { team: 'edge' },
  }
  await admin.floatingIpCreate({ query, body: front })
  await admin.floatingIpAttach({
    params: { floatingIp: 'ingest' },
    query,
    body: { kind: 'instance', parent: 'ingest-gateway' },
  })
  const data = (name: string, sizeGiB: number) => ({
    name,
    description: 'Data that outlives its instance',
    size: sizeGiB * GiB,
    diskSource: { type: 'blank' as const, blockSize: 4096 as const },
    tags: { team: 'measurements', backup: sizeGiB > 100 ? 'weekly' : 'none' },
  })
  for (const [name, size] of [
    ['archive-2025', 512],
    ['scratch', 64],
    ['spare', 16],
  ] as const)
    await admin.diskCreate({ query, body: { ...data(name, size), protected: name === 'archive-2025' } })
  const kept = 'To go back to if the new gateway fails'
  await admin.snapshotCreate({
    query,
    body: { name: 'ingest-before-upgrade', description: kept, disk: 'ingest-gateway-boot' },
  })
  await admin.instanceSnapshotCreate({
    query: { ...query, instance: 'ingest-gateway' },
    body: { name: 'last-good', description: 'All disks, as they were when all tests had passed' },
  })
}

const hourMs = 3_600_000

/** Snapshots of a disk, the first of them tomorrow. */
async function makeSchedule(admin: Client<Operations>, now: number): Promise<void> {
  const timeFirstRun = new Date(Math.floor(now / hourMs + 24) * hourMs)
  await admin.diskSnapshotScheduleUpdate({
    params: { disk: 'ingest-gateway-boot' },
    query: { project: 'telemetry' },
    body: { everyHours: 24, keep: 7, timeFirstRun },
  })
}

/** Stops what is tagged as a test in the evening of each working day. It is paused: the demo is looked at at any time. */
async function makeEveningStop(admin: Client<Operations>): Promise<void> {
  await admin.scheduleCreate({
    query: { project: 'telemetry' },
    body: {
      name: 'evening-stop',
      description: 'Test machines rest at night',
      action: 'stop',
      tag: 'env=test',
      rule: { type: 'weekly', days: ['monday', 'tuesday', 'wednesday', 'thursday', 'friday'], time: '19:00' },
      timeZone: 'Europe/Berlin',
      paused: true,
    },
  })
}

/** A template whose fields a person fills in for a new instance. */
async function makeTemplate(admin: Client<Operations>): Promise<void> {
  const lines = [
    '#cloud-config',
    'fqdn: <<<host>>>.telemetry.example',
    'packages: [nginx]',
    'users:',
    '  - name: deploy',
    '    ssh_authorized_keys: <<<keys>>>',
    'write_files:',
    '  - path: /var/www/html/index.html',
    '    content: |',
    '      <h1><<<host>>></h1>',
    '      <<<greeting>>>',
  ]
  await admin.userDataTemplateCreate({
    query: { project: 'telemetry' },
    body: {
      name: 'web-server',
      description: 'nginx with a page of its host',
      text: `${lines.join('\n')}\n`,
      fields: [
        { name: 'host', type: 'text', label: 'Host name', help: 'Without the domain.', required: true },
        { name: 'keys', type: 'ssh_keys', label: 'Keys of the user deploy' },
        { name: 'greeting', type: 'lines', label: 'Greeting', default: '<p>Hello</p>' },
      ],
    },
  })
}

/** Snapshots of the disks that are tagged as production. It is paused, as the other one is. */
async function makeNightlySnapshots(admin: Client<Operations>): Promise<void> {
  await admin.scheduleCreate({
    query: { project: 'telemetry' },
    body: {
      name: 'nightly-snapshots',
      description: 'A week of days, a month of weeks, a year of months',
      action: 'snapshot',
      diskTag: 'env=prod',
      keep: { daily: 7, weekly: 4, monthly: 12 },
      rule: { type: 'daily', time: '03:00' },
      timeZone: 'Europe/Berlin',
      paused: true,
    },
  })
}

async function makeInstance(admin: Client<Operations>, sample: Sample, image?: string): Promise<void> {
  const { project, name, size, start = false, disk } = sample
  const source = image
    ? ({ type: 'image', imageId: image } as const)
    : ({ type: 'blank', blockSize: 512 } as const)
  await admin.instanceCreate({
    query: { project },
    body: {
      name,
      description: '',
      hostname: name,
      ncpus: size[0],
      memory: size[1] * GiB,
      start,
      tags: { env: start ? 'prod' : 'test' },
      externalIps: start ? [{ type: 'ephemeral' }] : [],
      antiAffinityGroups: sample.apart ? [sample.apart] : [],
      bootDisk: disk
        ? {
            type: 'create',
            name: `${name}-boot`,
            description: `Boot disk of ${name}`,
            size: disk * GiB,
            diskSource: source,
          }
        : null,
    },
  })
}

/** Transitional states that are kept, so that they can be seen. Stop or start ends each. */
async function setStates(tx: Tx, projectId: string, now: number): Promise<void> {
  // Also an image without a digest: the demo need not compute it.
  await tx
    .updateTable('image')
    .set({ digestDueAt: now + 3_600_000 })
    .where('projectId', '=', projectId)
    .where('digestDueAt', 'is not', null)
    .execute()
  for (const state of [
    'creating',
    'starting',
    'stopping',
    'rebooting',
    'migrating',
    'repairing',
    'failed',
  ] as const satisfies readonly InstanceState[]) {
    const failed = state === 'failed'
    await tx
      .updateTable('instance')
      .set({
        runState: state,
        timeRunStateUpdated: now - 42_000,
        desired: failed ? 'running' : 'stopped',
        intended: failed ? 'running' : 'stopped',
        autoRestartPolicy: failed ? 'never' : null,
        lastError: failed ? 'the guest stopped answering its hypervisor' : null,
        // They stay for an hour; then the loop handles them as after a crash.
        dueAt: failed ? null : now + 3_600_000,
      })
      .where('projectId', '=', projectId)
      .where('name', '=', `query-${state}`)
      .execute()
  }
}

/** Requests to every operation of the contract: plausible ones, and random ones made from its schemas. */
import fc from 'fast-check'
import type { OpShape } from '@purlin/contract/op'
import { operations, type OperationName } from '@purlin/contract/operations'
import { GiB } from '@purlin/contract/rules/limits'
import { bare, type Field, type Node, type Schema } from '@purlin/contract/schema'
import { addGroup } from './machines.ts'
import { addFloatingIp, addInstance, inDb } from './networks.ts'
import type { RawRequest, TestWorld } from './world.ts'

const key = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8g'
const head = { name: 'fresh', description: '' }

/** Bodies that the weakest allowed caller could send. An operation with a body and without one here fails the sweep. */
const bodies: Partial<Record<OperationName, (ids: Record<string, string>) => unknown>> = {
  loginLocal: () => ({ username: 'nobody', password: 'nobody-password' }),
  currentUserSshKeyCreate: () => ({ ...head, public_key: key }),
  policyUpdate: (ids) => ({
    role_assignments: [{ identity_type: 'silo_user', identity_id: ids['admin'], role_name: 'admin' }],
  }),
  projectCreate: () => head,
  projectUpdate: () => ({ description: 'changed' }),
  projectPolicyUpdate: (ids) => ({
    role_assignments: [
      { identity_type: 'silo_user', identity_id: ids['projectViewer'], role_name: 'viewer' },
    ],
  }),
  instanceCreate: () => ({ ...head, ncpus: 1, memory: GiB, hostname: 'fresh', start: false }),
  instanceUpdate: () => ({
    ncpus: 2,
    memory: GiB,
    boot_disk: null,
    auto_restart_policy: null,
    cpu_platform: null,
  }),
  instanceDiskAttach: () => ({ disk: 'data' }),
  instanceDiskDetach: () => ({ disk: 'data' }),
  diskCreate: () => ({ ...head, size: GiB, disk_source: { type: 'blank', block_size: 512 } }),
  diskBulkWriteImport: () => ({ offset: 0, base64_encoded_data: btoa('x'.repeat(512)) }),
  diskFinalizeImport: () => ({}),
  snapshotCreate: () => ({ ...head, disk: 'data' }),
  imageCreate: (ids) => ({
    ...head,
    os: 'debian',
    version: '13',
    source: { type: 'snapshot', id: ids['yesterday'] },
  }),
  vpcCreate: () => ({ ...head, dns_name: 'fresh' }),
  vpcUpdate: () => ({ description: 'changed' }),
  vpcSubnetCreate: () => ({ ...head, ipv4_block: '10.1.0.0/24' }),
  vpcSubnetUpdate: () => ({ description: 'changed' }),
  instanceEphemeralIpAttach: () => ({}),
  instanceNetworkInterfaceCreate: () => ({ ...head, vpc_name: 'default', subnet_name: 'default' }),
  instanceNetworkInterfaceUpdate: () => ({ description: 'changed' }),
  floatingIpCreate: () => head,
  floatingIpUpdate: () => ({ description: 'changed' }),
  floatingIpAttach: () => ({ kind: 'instance', parent: 'web' }),
  affinityGroupCreate: () => ({ ...head, policy: 'fail', failure_domain: 'sled' }),
  affinityGroupUpdate: () => ({ description: 'changed' }),
  antiAffinityGroupCreate: () => ({ ...head, policy: 'fail', failure_domain: 'sled' }),
  antiAffinityGroupUpdate: () => ({ description: 'changed' }),
  timeseriesQuery: () => ({ query: 'get virtual_machine:vcpu_usage | last 1' }),
  systemTimeseriesQuery: () => ({ query: 'get virtual_machine:vcpu_usage | last 1' }),
}

const samples = 'start_time=2026-01-01T00:00:00Z&end_time=2027-01-01T00:00:00Z'
/** What must be in a query beside the parents of what it asks for. */
const queries: Partial<Record<OperationName, string>> = { siloMetric: samples, systemMetric: samples }

/** Makes one thing of every kind in `demo`; their ids go beside the world's own. */
export async function furnish(world: TestWorld): Promise<void> {
  const { ids } = world
  const now = world.clock.now()
  const query = { project: 'demo' }
  ids['web'] = (await addInstance(world, 'web')).id
  const disk = {
    name: 'data',
    description: '',
    size: GiB,
    diskSource: { type: 'blank' as const, blockSize: 512 as const },
  }
  ids['data'] = (await world.as('admin').diskCreate({ query, body: disk })).id
  const snapshot = { name: 'yesterday', description: '', disk: 'data' }
  ids['yesterday'] = (await world.as('admin').snapshotCreate({ query, body: snapshot })).id
  ids['default'] = (await world.as('admin').vpcView({ params: { vpc: 'default' }, query })).id
  const subnet = await world
    .as('admin')
    .vpcSubnetView({ params: { subnet: 'default' }, query: { ...query, vpc: 'default' } })
  ids['subnet'] = subnet.id
  const nics = await world.as('admin').instanceNetworkInterfaceList({ query: { ...query, instance: 'web' } })
  ids['net0'] = nics.items[0]?.id ?? ''
  ids['front'] = await addFloatingIp(world, 'front')
  ids['together'] = await addGroup(world, {
    name: 'together',
    kind: 'affinity',
    policy: 'allow',
    members: ['web'],
  })
  ids['apart'] = await addGroup(world, {
    name: 'apart',
    kind: 'anti_affinity',
    policy: 'allow',
    members: ['web'],
  })
  ids['team'] = world.world.ids.uuid()
  ids['base'] = world.world.ids.uuid()
  await inDb(world, async (tx) => {
    const siloId = ids['acme'] ?? ''
    await tx
      .insertInto('siloGroup')
      .values({ id: ids['team'] ?? '', siloId, displayName: 'team', timeCreated: now, timeModified: now })
      .execute()
    const projectId = ids['demo'] ?? ''
    const times = { timeCreated: now, timeModified: now }
    const image = {
      os: 'debian',
      version: '13',
      size: GiB,
      blockSize: 512,
      digest: null,
      digestDueAt: null,
      layerId: null,
    }
    await tx
      .insertInto('image')
      .values({
        id: ids['base'] ?? '',
        name: 'base',
        description: '',
        ...times,
        ...image,
        siloId,
        projectId,
        scopeId: projectId,
      })
      .execute()
  })
}

/** What stands in a path: by its name, and the key of its id in the world's ids. */
const targets: Record<string, [name: string, id: string]> = {
  project: ['demo', 'demo'],
  instance: ['web', 'web'],
  disk: ['data', 'data'],
  snapshot: ['yesterday', 'yesterday'],
  vpc: ['default', 'default'],
  subnet: ['default', 'subnet'],
  interface: ['net0', 'net0'],
  floating_ip: ['front', 'front'],
  affinity_group: ['together', 'together'],
  anti_affinity_group: ['apart', 'apart'],
  image: ['base', 'base'],
  pool: ['public', 'public'],
  ssh_key: ['mine', 'mine'],
  user_id: ['', 'nobody'],
  group_id: ['', 'team'],
  silo_name: ['acme', ''],
  metric_name: ['cpus_provisioned', ''],
}
const fieldsOf = (schema: Schema<unknown, unknown> | undefined): readonly Field[] => {
  const node = schema && bare(schema.node)
  return node?.kind === 'object' ? node.fields : []
}
const isName = ({ node }: Field) => node.kind === 'named' && node.name.startsWith('Name')

/** A request that makes sense, its target named or given by id. Throws if this file does not know the operation. */
export function plausible(world: TestWorld, name: OperationName, by: 'name' | 'id'): RawRequest {
  const op: OpShape = operations[name]
  const path = op.path.replaceAll(/\{(\w+)\}/g, (_, word: string) => {
    const target = targets[word]
    if (!target) throw new Error(`no plausible ${word} for ${name}`)
    const [called, id] = target
    return called === '' || (by === 'id' && id !== '') ? (world.ids[id] ?? 'unknown') : called
  })
  const parents = fieldsOf(op.query).filter((field) => targets[field.wire] && isName(field))
  // An id stands alone; a list needs its parent either way, and a parent by id has no parents of its own.
  const needed = by === 'name' ? parents : parents.filter((field) => !field.optional)
  const search = needed.map(
    ({ wire }) => `${wire}=${by === 'name' ? targets[wire]?.[0] : world.ids[targets[wire]?.[1] ?? '']}`,
  )
  const body = bodies[name]?.(world.ids)
  if (op.body && body === undefined) throw new Error(`no plausible body for ${name}`)
  search.push(...(queries[name]?.split('&') ?? []))
  const url = search.length ? `${path}?${search.join('&')}` : path
  return { method: op.method, url, ...(body === undefined ? {} : { body: JSON.stringify(body) }) }
}

type Ids = Record<string, string>
const known = [
  'demo',
  'web',
  'data',
  'default',
  'net0',
  'front',
  'together',
  'apart',
  'base',
  'public',
  'mine',
  'fresh',
  'acme',
  'other',
  'p-2',
  'nope',
]
const junk = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    '',
    ' ',
    0,
    -1,
    1.5,
    2 ** 53,
    1e308,
    true,
    [],
    {},
    '\0',
    '\ud800',
    '__proto__',
    'x'.repeat(600),
    'Ü',
  ),
  fc.jsonValue({ maxDepth: 2 }),
)
const spoiled = (arbitrary: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc.oneof({ weight: 30, arbitrary }, { weight: 1, arbitrary: junk })

const integers = fc.oneof(
  fc.constantFrom(
    0,
    1,
    2,
    64,
    65,
    512,
    4096,
    GiB,
    2 * GiB,
    1023 * GiB,
    2 ** 31,
    2 ** 32,
    Number.MAX_SAFE_INTEGER,
  ),
  fc.integer({ min: -2, max: 70_000 }),
)
const octet = fc.nat(255)
const ip = fc.oneof(
  fc
    .tuple(fc.constantFrom(10, 172, 224, 127), fc.constantFrom(30, 0), octet, octet)
    .map((parts) => parts.join('.')),
  fc.ipV6(),
)
const net = fc.tuple(ip, fc.nat(128)).map(([base, width]) => `${base}/${width}`)
const named: Record<string, (ids: Ids) => fc.Arbitrary<unknown>> = {
  Name: () => fc.oneof(fc.constantFrom(...known), fc.stringMatching(/^[a-z][a-z0-9-]{0,8}[a-z0-9]$/)),
  NameOrId: (ids) => fc.constantFrom(...known, ...Object.values(ids)),
  Hostname: () => fc.oneof(fc.constantFrom('web', 'a.b.c'), fc.domain()),
  IpNet: () => net,
  Ipv4Net: () => fc.oneof(fc.constantFrom('10.1.0.0/24', '172.30.8.0/22'), net),
  Ipv6Net: () => fc.oneof(fc.constantFrom('fd12:3456:789a::/48', 'fd12:3456:789a:1::/64'), net),
}

/** Wire values that fit a schema, mostly. */
function wireValue(node: Node, ids: Ids): fc.Arbitrary<unknown> {
  const inner = (one: Node) => wireValue(one, ids)
  switch (node.kind) {
    case 'named':
      return named[node.name] ? spoiled(named[node.name]?.(ids) ?? junk) : inner(node.inner)
    case 'nullable':
      return fc.oneof(
        { weight: 3, arbitrary: inner(node.inner) },
        { weight: 1, arbitrary: fc.constant(null) },
      )
    case 'string':
      if (node.format === 'uuid') return spoiled(fc.constantFrom(...Object.values(ids)))
      return spoiled(
        node.format === 'ip' ? ip : fc.oneof(fc.string(), fc.constantFrom(key, '', 'd'.repeat(513))),
      )
    case 'integer':
    case 'number':
      return spoiled(integers)
    case 'boolean':
      return spoiled(fc.boolean())
    case 'time':
      return spoiled(fc.date({ noInvalidDate: true }).map((date) => date.toISOString()))
    case 'bytes':
    case 'base64':
      return spoiled(fc.base64String({ maxLength: 64 }))
    case 'words':
      return spoiled(fc.constantFrom(...node.words))
    case 'array':
      return spoiled(fc.array(inner(node.item), { maxLength: 4 }))
    case 'map':
      return spoiled(fc.dictionary(fc.string(), inner(node.value), { maxKeys: 3 }))
    case 'object':
      return spoiled(objectOf(node.fields, ids))
    case 'union':
      return spoiled(fc.oneof(...[...node.arms.values()].map((arm) => objectOf(arm.fields, ids))))
  }
}

/** A field that selects something names what exists, more often than not. */
function fieldValue({ wire, node }: Field, ids: Ids): fc.Arbitrary<unknown> {
  const any = wireValue(node, ids)
  const [name, id] = targets[wire] ?? []
  if (name === undefined || id === undefined || id === '') return any
  const existing = fc.constantFrom(...(name === '' ? [] : [name, name]), ids[id] ?? '')
  return fc.oneof({ weight: 5, arbitrary: existing }, { weight: 2, arbitrary: any })
}

function objectOf(fields: readonly Field[], ids: Ids): fc.Arbitrary<unknown> {
  const loose = fields.filter((field) => field.optional || field.fallback)
  const shape = Object.fromEntries(fields.map((field) => [field.wire, fieldValue(field, ids)]))
  const strict = fields.filter((field) => !loose.includes(field)).map((field) => field.wire)
  const whole = fc.record(shape, { requiredKeys: strict })
  return fc.oneof(
    { weight: 15, arbitrary: whole },
    { weight: 1, arbitrary: fc.record(shape, { requiredKeys: [] }) },
  )
}

const asText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))
const escaped = (value: unknown): string => encodeURIComponent(asText(value).toWellFormed())

/** Any request to an operation: parameters, query and body from its schemas, now and then broken. */
export function anyRequest(name: OperationName, ids: Ids): fc.Arbitrary<RawRequest> {
  const op: OpShape = operations[name]
  const part = (schema: Schema<unknown, unknown> | undefined) =>
    objectOf(fieldsOf(schema), ids) as fc.Arbitrary<Record<string, unknown>>
  const body = op.body ? wireValue(op.body.node, ids).map((value) => JSON.stringify(value)) : fc.constant('')
  const cut = fc
    .tuple(body, fc.nat(40), fc.nat(3), fc.string({ maxLength: 3 }))
    .map(([text, at, gone, put]) => text.slice(0, at) + put + text.slice(at + gone))
  const extra = fc.constantFrom(
    '',
    '',
    '',
    '',
    '&page_token=abc',
    '&limit=0',
    '&project=demo',
    '&%zz',
    '&=',
    '&x=%00',
  )
  return fc
    .record({
      params: part(op.params),
      query: part(op.query),
      text: fc.oneof({ weight: 9, arbitrary: body }, { weight: 1, arbitrary: cut }),
      extra,
    })
    .map(({ params, query, text, extra: more }) => {
      const path = op.path.replaceAll(/\{(\w+)\}/g, (_, word: string) => escaped(params[word] ?? 'x'))
      const search = Object.entries(query).map(([wire, value]) => `${wire}=${escaped(value)}`)
      return {
        method: op.method,
        url: `${path}?${search.join('&')}${more}`,
        ...(text === '' ? {} : { body: text }),
      }
    })
}

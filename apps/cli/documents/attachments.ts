/** Disks, network interfaces and external addresses of an instance: fields of its creation, changed one by one later. */
import { CliError } from '../errors.ts'
import type { Api, Row } from '../http/api.ts'
import { plainText } from '../output/json.ts'
import { obstacleFor } from './obstacles.ts'
import type { At, Section, Source } from './section.ts'

export const poolName = (source: Source, id: unknown) => source.nameOf('projectIpPoolView', 'pool', id)

/** The objects in a list of a document. Throws CliError for anything else. */
function objectsIn(value: unknown, what: string): Row[] {
  const isRow = (one: unknown) => typeof one === 'object' && one !== null
  if (Array.isArray(value) && value.every(isRow)) return value as Row[]
  throw new CliError('usage', `${what} of an instance must be a list of objects`)
}

/** A path parameter for the instance, and the query for its project. */
const target = ({ instance = '', ...query }: At) => ({ params: { instance }, query })

/** All disks of an instance, with the one that it boots from. */
export const attachedDisks: Section = {
  key: 'disks',
  noun: 'attachment of disk',
  parentKey: 'disk',
  fields: ['name', 'type', 'description', 'size', 'disk_source'],
  initial: ['type', 'description', 'size', 'disk_source'],
  changeable: [],
  field: {
    rowsOf({ boot_disk: boot, disks }, present) {
      const kept = present.filter((row) => row['is_boot'] === true)
      const first = boot === undefined ? kept : objectsIn(boot === null ? [] : [boot], 'boot_disk')
      return [...first, ...objectsIn(disks, 'disks')]
    },
    valueOf: (rows) =>
      rows.filter((row) => row['is_boot'] !== true).map(({ name }) => ({ type: 'attach', name })),
  },
  async list({ api }, at) {
    const { boot_disk_id: boot } = await api.call('instanceView', target(at))
    const rows = await api.all('instanceDiskList', target(at))
    return rows.map(({ id, name }) => ({ name, is_boot: id === boot }))
  },
  obstacle: (source, at, { verb }) =>
    obstacleFor(source, at, verb === 'delete' ? 'detachDisk' : 'attachDisk'),
  async create(api, at, { type, ...disk }) {
    const { params, query } = target(at)
    const { name } = disk
    // It may have been created before a failure.
    if (type === 'create' && !(await api.find('diskView', { params: { disk: name }, query })))
      await api.call('diskCreate', { query, body: disk })
    await api.call('instanceDiskAttach', { params, query, body: { disk: name } })
  },
  update: () => Promise.resolve(),
  remove: (api, at, { name }) => api.call('instanceDiskDetach', { ...target(at), body: { disk: name } }),
  parts: [],
}

const nicChanges = ['description', 'transit_ips', 'primary']
const nicFields = ['name', 'description', 'vpc_name', 'subnet_name', 'ip', 'transit_ips']

/** The primary interface is first. */
const byPrimary = (rows: readonly Row[]) =>
  rows.toSorted((a, b) => Number(b['primary']) - Number(a['primary']))

/**
 * The first of a list is primary. A list without the present primary interface leaves it as it is: it adds interfaces,
 * or changes some.
 */
function nicsOf({ network_interfaces: value }: Row, present: readonly Row[]): readonly Row[] {
  const { type, params } = (value ?? {}) as Row
  if (type === 'none') return []
  // The interface that an instance has by default is only created with it.
  if (type === 'default') return present
  const rows = objectsIn(params, 'network_interfaces')
  const isPresent = rows.some(({ name }) =>
    present.some((row) => row['name'] === name && row['primary'] === true),
  )
  return rows.map((row, i) => (i === 0 && isPresent ? { ...row, primary: true } : row))
}

const updateNic: Section['update'] = (api, at, { name, ...body }) =>
  api.call('instanceNetworkInterfaceUpdate', {
    params: { interface: name },
    query: at,
    body: Object.fromEntries(
      nicChanges.flatMap((key) => (body[key] === undefined ? [] : [[key, body[key]]])),
    ),
  })

export const interfaces: Section = {
  key: 'network_interfaces',
  noun: 'network interface',
  parentKey: 'interface',
  fields: [...nicFields, 'primary'],
  changeable: nicChanges,
  field: {
    rowsOf: nicsOf,
    valueOf: (rows) =>
      rows.length === 0
        ? { type: 'none' }
        : { type: 'create', params: rows.map(({ primary: _primary, ...row }) => row) },
  },
  async list(source, at) {
    const rows: Row[] = []
    for (const row of byPrimary(await source.api.all('instanceNetworkInterfaceList', { query: at }))) {
      const { name, description, ip, transit_ips = [], primary } = row
      const vpc_name = await source.nameOf('vpcView', 'vpc', row['vpc_id'])
      const subnet_name = await source.nameOf('vpcSubnetView', 'subnet', row['subnet_id'])
      rows.push({ name, description, vpc_name, subnet_name, ip, transit_ips, primary })
    }
    return rows
  },
  obstacle: (source, at, { verb }) => obstacleFor(source, at, verb === 'delete' ? 'removeNic' : 'updateNic'),
  async create(api, at, body) {
    const { primary, ...nic } = body
    await api.call('instanceNetworkInterfaceCreate', { query: at, body: nic })
    if (primary === true) await updateNic(api, at, body)
  },
  update: updateNic,
  async remove(api, at, { name }) {
    await leavePrimary(api, at, name)
    await api.call('instanceNetworkInterfaceDelete', { params: { interface: name }, query: at })
  },
  parts: [],
}

/** Makes another interface primary, because a primary one is only deleted as the last one. */
async function leavePrimary(api: Api, at: At, name: unknown): Promise<void> {
  const rows = await api.all('instanceNetworkInterfaceList', { query: at })
  const isPrimary = rows.some((row) => row['name'] === name && row['primary'] === true)
  const next = rows.find((row) => row['name'] !== name)
  if (isPrimary && next) await updateNic(api, at, { ...next, primary: true })
}

const ephemeral = 'ephemeral IP'

/** The ephemeral address and floating IPs. No floating IP has a name with a space. */
export const externalIps: Section = {
  key: 'external_ips',
  noun: 'attachment of external IP',
  parentKey: 'external_ip',
  fields: ['name', 'type', 'pool', 'floating_ip'],
  initial: ['type', 'floating_ip'],
  changeable: [],
  field: {
    rowsOf: ({ external_ips: value }) =>
      objectsIn(value, 'external_ips').map((row) => ({
        ...row,
        name: row['type'] === 'floating' ? plainText(row['floating_ip']) : ephemeral,
      })),
    valueOf: (rows) => rows.map(({ name: _name, ...row }) => row),
  },
  async list(source, at) {
    const { items } = await source.api.call('instanceExternalIpList', target(at))
    const rows: Row[] = []
    for (const { kind, name, ip_pool_id } of items as Row[]) {
      if (kind === 'ephemeral')
        rows.push({ name: ephemeral, type: kind, pool: await poolName(source, ip_pool_id) })
      if (kind === 'floating') rows.push({ name, type: kind, floating_ip: name })
    }
    return rows
  },
  obstacle: (source, at) => obstacleFor(source, at, 'changeExternalIps'),
  create(api, at, { type, pool, floating_ip }) {
    const { params, query } = target(at)
    if (type !== 'floating')
      return api.call('instanceEphemeralIpAttach', { params, query, body: pool == null ? {} : { pool } })
    const body = { kind: 'instance', parent: params.instance }
    return api.call('floatingIpAttach', { params: { floating_ip }, query, body })
  },
  update: () => Promise.resolve(),
  remove(api, at, { type, floating_ip }) {
    const { params, query } = target(at)
    if (type !== 'floating') return api.call('instanceEphemeralIpDetach', { params, query })
    return api.call('floatingIpDetach', { params: { floating_ip }, query })
  },
  parts: [],
}

/** The migrations of the schema. One that has been released is never edited; a new one follows it. */
import { sql, type CreateTableBuilder } from 'kysely'
import type { Migration } from 'kysely/migration'
import { beginChain } from './rows/audit-chain.ts'
import { fleetId } from './rows/fleet.ts'
import type { Engine } from './engine.ts'
import { addPrincipalWords } from './rows/principals.ts'
import { addServicePools } from './rows/service-pools.ts'
import { createSearchIndex } from './lists/search-index.ts'
import type { TableName, Tables, Tx } from './tables.ts'
import { fillNetworkTallies, fillTallies, reserveWhatThereIs } from './rows/tallies-at-first.ts'

// Text, whole number, bytes.
type Kind = 't' | 'i' | 'b' | 't?' | 'i?'
type Indexes = readonly (readonly string[])[]
interface TableSpec {
  columns: Record<string, Kind>
  key: readonly string[]
  /** Its rows are in the index of its key, where the engine can do that. */
  inOrderOfKey?: true
  /** Its rows have a number `seq`, by which SQLite's full text finds them. */
  isNumbered?: true
  unique?: Indexes
  index?: Indexes
}

const identity = { id: 't', name: 't', description: 't', timeCreated: 'i', timeModified: 'i' } as const
const id = ['id'] as const

/** The table of a plain resource of projects, with an index for each order of its list: by name and by id. */
const inProject = <const C extends Record<string, Kind>>(columns: C) =>
  ({
    columns: { ...identity, projectId: 't', ...columns },
    key: id,
    unique: [['projectId', 'name']],
    index: [['projectId', 'id']],
  }) as const

/** The columns that an entry of the audit log has before it is in the chain. */
const auditColumns = {
  id: 't',
  requestId: 't',
  timeStarted: 'i',
  operation: 't',
  actorId: 't?',
  siloId: 't?',
  otherSiloId: 't?',
  sourceIp: 't',
  userAgent: 't?',
  status: 'i',
  detailsJson: 't',
} as const

const first = {
  silo: {
    columns: {
      ...identity,
      identityMode: 't',
      discoverable: 'i',
      mappedFleetRolesJson: 't',
      adminGroupName: 't?',
      quotaCpus: 'i',
      quotaMemory: 'i',
      quotaStorage: 'i',
      rcgen: 'i',
    },
    key: id,
    unique: [['name']],
  },
  siloUser: {
    columns: {
      id: 't',
      siloId: 't',
      externalId: 't',
      displayName: 't',
      passwordHash: 't?',
      timeCreated: 'i',
      timeModified: 'i',
    },
    key: id,
    unique: [['siloId', 'externalId']],
    index: [['siloId', 'id']],
  },
  siloGroup: {
    columns: { id: 't', siloId: 't', displayName: 't', timeCreated: 'i', timeModified: 'i' },
    key: id,
    unique: [['siloId', 'displayName']],
    index: [['siloId', 'id']],
  },
  groupMember: { columns: { groupId: 't', userId: 't' }, key: ['groupId', 'userId'], index: [['userId']] },
  roleAssignment: {
    columns: { resourceType: 't', resourceId: 't', identityType: 't', identityId: 't', roleName: 't' },
    key: ['resourceType', 'resourceId', 'identityType', 'identityId', 'roleName'],
    index: [['identityId']],
  },
  session: {
    columns: { id: 't', tokenHash: 't', siloUserId: 't', timeCreated: 'i', timeLastUsed: 'i' },
    key: id,
    unique: [['tokenHash']],
    index: [['siloUserId'], ['timeLastUsed']],
  },
  sshKey: {
    columns: { ...identity, siloUserId: 't', publicKey: 't' },
    key: id,
    unique: [['siloUserId', 'name']],
    index: [['siloUserId', 'id']],
  },
  project: {
    columns: { ...identity, siloId: 't', rcgen: 'i' },
    key: id,
    unique: [['siloId', 'name']],
    index: [['siloId', 'id']],
  },
  usage: { columns: { id: 't', cpus: 'i', memory: 'i', storage: 'i' }, key: id },
  vpc: {
    columns: {
      ...identity,
      projectId: 't',
      vni: 'i',
      systemRouterId: 't',
      ipv6Prefix: 't',
      dnsName: 't',
      rcgen: 'i',
    },
    key: id,
    unique: [['projectId', 'name'], ['vni']],
    index: [['projectId', 'id']],
  },
  vpcRouter: {
    columns: { ...identity, projectId: 't', vpcId: 't', kind: 't' },
    key: id,
    unique: [['vpcId', 'name']],
    index: [['vpcId', 'id']],
  },
  routerRoute: {
    columns: {
      ...identity,
      projectId: 't',
      vpcRouterId: 't',
      kind: 't',
      destinationJson: 't',
      targetJson: 't',
      subnetId: 't?',
    },
    key: id,
    unique: [['vpcRouterId', 'name']],
    index: [['vpcRouterId', 'id'], ['subnetId']],
  },
  vpcSubnet: {
    columns: {
      ...identity,
      projectId: 't',
      vpcId: 't',
      ipv4Block: 't',
      ipv6Block: 't',
      customRouterId: 't?',
      nextKey: 't',
      rcgen: 'i',
    },
    key: id,
    unique: [['vpcId', 'name']],
    index: [['vpcId', 'id']],
  },
  vpcFirewallRule: {
    columns: {
      ...identity,
      projectId: 't',
      vpcId: 't',
      status: 't',
      direction: 't',
      targetsJson: 't',
      filtersJson: 't',
      action: 't',
      priority: 'i',
    },
    key: id,
    unique: [['vpcId', 'name']],
  },
  internetGateway: {
    columns: { ...identity, projectId: 't', vpcId: 't' },
    key: id,
    unique: [['vpcId', 'name']],
    index: [['vpcId', 'id']],
  },
  internetGatewayIpPool: {
    columns: { ...identity, projectId: 't', internetGatewayId: 't', ipPoolId: 't' },
    key: id,
    unique: [['internetGatewayId', 'name']],
    index: [['ipPoolId']],
  },
  networkInterface: {
    columns: {
      ...identity,
      projectId: 't',
      instanceId: 't',
      vpcId: 't',
      subnetId: 't',
      mac: 'i',
      ipKey: 't',
      slot: 'i',
      isPrimary: 'i',
      transitIpsJson: 't',
    },
    key: id,
    unique: [
      ['instanceId', 'name'],
      ['subnetId', 'ipKey'],
      ['vpcId', 'mac'],
      ['instanceId', 'slot'],
    ],
    index: [['subnetId', 'name']],
  },
  ipPool: { columns: { ...identity, rcgen: 'i' }, key: id, unique: [['name']] },
  ipPoolRange: {
    columns: { id: 't', ipPoolId: 't', firstKey: 't', lastKey: 't', nextKey: 't', timeCreated: 'i' },
    key: id,
    unique: [['ipPoolId', 'firstKey']],
  },
  ipPoolSilo: {
    columns: { ipPoolId: 't', siloId: 't', isDefault: 'i' },
    key: ['ipPoolId', 'siloId'],
    index: [['siloId', 'isDefault']],
  },
  freedAddress: { columns: { spaceId: 't', ipKey: 't' }, key: ['spaceId', 'ipKey'] },
  snatBlock: {
    columns: { ipPoolId: 't', ipKey: 't', firstPort: 'i' },
    key: ['ipPoolId', 'ipKey', 'firstPort'],
  },
  externalIp: {
    columns: {
      id: 't',
      kind: 't',
      ipKey: 't',
      ipPoolId: 't',
      projectId: 't',
      instanceId: 't?',
      firstPort: 'i',
      lastPort: 'i',
      name: 't',
      description: 't',
      timeCreated: 'i',
      timeModified: 'i',
    },
    key: id,
    unique: [
      ['projectId', 'name'],
      ['ipPoolId', 'ipKey', 'firstPort'],
    ],
    index: [['instanceId'], ['projectId', 'kind', 'name'], ['projectId', 'kind', 'id']],
  },
  instance: {
    columns: {
      ...identity,
      projectId: 't',
      siloId: 't',
      ncpus: 'i',
      memory: 'i',
      hostname: 't',
      userData: 't',
      runState: 't',
      timeRunStateUpdated: 'i',
      generation: 'i',
      bootDiskId: 't?',
      autoRestartPolicy: 't?',
      timeLastAutoRestarted: 'i?',
      cpuPlatform: 't?',
      desired: 't',
      intended: 't',
      sledId: 't?',
      boot: 'i',
      reset: 'i',
      seq: 'i',
      dueAt: 'i?',
      attempts: 'i',
      lastError: 't?',
    },
    key: id,
    unique: [['projectId', 'name']],
    index: [['projectId', 'id'], ['dueAt'], ['sledId']],
  },
  instanceSshKey: {
    columns: { instanceId: 't', sshKeyId: 't' },
    key: ['instanceId', 'sshKeyId'],
    index: [['sshKeyId']],
  },
  disk: {
    columns: {
      ...identity,
      projectId: 't',
      siloId: 't',
      size: 'i',
      blockSize: 'i',
      snapshotId: 't?',
      imageId: 't?',
      state: 't',
      instanceId: 't?',
      slot: 'i?',
      generation: 'i',
    },
    key: id,
    unique: [
      ['projectId', 'name'],
      ['instanceId', 'slot'],
    ],
    index: [
      ['projectId', 'id'],
      ['instanceId', 'name'],
    ],
  },
  snapshot: inProject({ siloId: 't', diskId: 't', size: 'i', blockSize: 'i', state: 't' }),
  image: {
    columns: {
      ...identity,
      siloId: 't',
      projectId: 't?',
      scopeId: 't',
      os: 't',
      version: 't',
      size: 'i',
      blockSize: 'i',
      digest: 't?',
    },
    key: id,
    unique: [['scopeId', 'name']],
    index: [['scopeId', 'id']],
  },
  affinityGroup: {
    columns: { ...identity, projectId: 't', kind: 't', policy: 't' },
    key: id,
    unique: [['projectId', 'kind', 'name']],
    index: [['projectId', 'kind', 'id']],
  },
  affinityMember: {
    columns: { groupId: 't', instanceId: 't' },
    key: ['groupId', 'instanceId'],
    index: [['instanceId']],
  },
  sled: {
    columns: {
      id: 't',
      serial: 't',
      part: 't',
      revision: 'i',
      rackId: 't',
      cpuFamily: 't',
      usableHardwareThreads: 'i',
      usablePhysicalRam: 'i',
      reservoirSize: 'i',
      provisionPolicy: 't',
      usedThreads: 'i',
      usedMemory: 'i',
      timeCreated: 'i',
      timeModified: 'i',
    },
    key: id,
  },
  lease: { columns: { name: 't', holder: 't', until: 'i' }, key: ['name'] },
} as const

/** What a step does. Columns added to a table that has rows are null in them. */
interface Step {
  name: string
  tables?: Record<string, TableSpec>
  columns?: Record<string, { columns: Record<string, 't?' | 'i?'>; index?: Indexes }>
  /** Names of indexes that others have replaced. */
  dropped?: readonly string[]
  /** Inserts rows that are derived from existing ones. */
  fill?: (tx: Tx, now: number, engine: Engine['name']) => Promise<void>
}
const steps = [
  { name: '0001-first-light', tables: first },
  {
    name: '0002-disk-layers',
    tables: {
      layer: { columns: { id: 't', parentId: 't?', timeCreated: 'i' }, key: id, index: [['parentId']] },
    },
    columns: {
      disk: { columns: { layerId: 't?' }, index: [['layerId']] },
      snapshot: { columns: { layerId: 't?' }, index: [['layerId']] },
      image: { columns: { layerId: 't?', digestDueAt: 'i?' }, index: [['layerId'], ['digestDueAt']] },
    },
  },
  {
    name: '0003-timeseries',
    tables: {
      timeseriesSource: {
        columns: { id: 'i', identity: 't', target: 't', fieldsJson: 't', seriesJson: 't' },
        key: id,
        unique: [['identity']],
        index: [['target', 'id']],
      },
      timeseriesField: {
        columns: { target: 't', name: 't', value: 't', sourceId: 'i' },
        key: ['target', 'name', 'value', 'sourceId'],
        index: [['sourceId']],
      },
      timeseriesChunk: {
        columns: { sourceId: 'i', slot: 'i', metric: 't', span: 'i', data: 'b' },
        key: ['sourceId', 'slot', 'metric'],
        index: [['span', 'slot', 'sourceId']],
      },
      sledSamples: { columns: { sledId: 't', until: 'i' }, key: ['sledId'] },
      usageSample: {
        columns: { id: 't', metric: 't', at: 'i', value: 'i' },
        key: ['id', 'metric', 'at'],
        index: [['at']],
      },
    },
    fill: beginUsageSamples,
  },
  {
    name: '0004-interfaces-of-a-subnet',
    columns: {
      // None for the order by id, which is rarely requested: each index slows down every insert of an instance.
      networkInterface: { columns: {}, index: [['subnetId', 'name', 'id']] },
    },
    dropped: ['networkInterface_subnetId_name'],
  },
  {
    name: '0005-tallies',
    tables: {
      tally: { columns: { holderId: 't', kind: 't', count: 'i' }, key: ['holderId', 'kind'] },
    },
    fill: fillTallies,
  },
  {
    name: '0006-reserves-of-projects',
    columns: { tally: { columns: { reserved: 'i?' } } },
    fill: reserveWhatThereIs,
  },
  {
    name: '0007-gateways',
    tables: {
      internetGatewayIpAddress: {
        columns: { ...identity, projectId: 't', internetGatewayId: 't', ipKey: 't' },
        key: id,
        unique: [['internetGatewayId', 'name']],
        index: [['internetGatewayId', 'id']],
      },
    },
    columns: { internetGatewayIpPool: { columns: {}, index: [['internetGatewayId', 'id']] } },
    fill: fillNetworkTallies,
  },
  {
    name: '0008-versions-of-networks',
    tables: { vpcNetwork: { columns: { vpcId: 't', version: 'i', digest: 't' }, key: ['vpcId'] } },
  },
  {
    name: '0009-pools-by-operators',
    columns: {
      ipPool: { columns: { ipVersion: 't?', purpose: 't?' }, index: [['purpose']] },
      ipPoolRange: { columns: {}, index: [['firstKey']] },
    },
    fill: addServicePools,
  },
  { name: '0010-less-conflicts', fill: avoidConflicts },
  {
    name: '0011-roles-that-expire',
    columns: { roleAssignment: { columns: { timeExpires: 'i?' }, index: [['timeExpires']] } },
    tables: {
      principalWord: {
        columns: { siloId: 't', word: 't', principalId: 't' },
        key: ['siloId', 'word', 'principalId'],
        index: [['principalId']],
      },
    },
    fill: fillPrincipals,
  },
  {
    name: '0012-audit-log',
    tables: {
      auditPending: { columns: { ...auditColumns, at: 'i', keys: 't' }, key: id },
      auditEntry: {
        columns: { seq: 'i', ...auditColumns, hash: 't' },
        key: ['seq'],
        index: [
          ['operation', 'seq'],
          ['actorId', 'seq'],
        ],
      },
      auditKey: { columns: { key: 't', seq: 'i' }, key: ['key', 'seq'], inOrderOfKey: true },
      auditChain: {
        columns: { name: 't', firstSeq: 'i', firstHash: 't', lastSeq: 'i', lastHash: 't', entries: 'i' },
        key: ['name'],
      },
    },
    fill: beginChain,
  },
  {
    name: '0013-search',
    tables: { searchText: { columns: { id: 't', kind: 't', words: 't' }, key: id, isNumbered: true } },
    // Addresses are looked for whole.
    columns: {
      networkInterface: { columns: {}, index: [['ipKey'], ['mac']] },
      externalIp: { columns: {}, index: [['ipKey']] },
    },
    fill: createSearchIndex,
  },
  {
    name: '0014-certificates',
    tables: {
      certificate: {
        columns: {
          ...identity,
          siloId: 't',
          certPem: 't',
          keyPem: 't',
          subject: 't',
          issuer: 't',
          dnsNamesJson: 't',
          notBefore: 'i',
          notAfter: 'i',
        },
        key: id,
        unique: [['siloId', 'name']],
        index: [['siloId', 'id'], ['notAfter']],
      },
    },
  },
  {
    name: '0015-told-expiry',
    columns: { certificate: { columns: { toldStage: 'i?' } } },
  },
  {
    name: '0016-access-tokens',
    columns: { silo: { columns: { deviceTokenMaxTtl: 'i?' } } },
    tables: {
      accessToken: {
        columns: { siloUserId: 't', id: 't', tokenHash: 't', timeCreated: 'i', timeExpires: 'i?' },
        key: ['siloUserId', 'id'],
        unique: [['tokenHash']],
        index: [['timeExpires']],
      },
      deviceRequest: {
        columns: {
          id: 't',
          deviceCodeHash: 't',
          userCodeHash: 't',
          clientId: 't',
          ttl: 'i?',
          siloUserId: 't?',
          timeCreated: 'i',
        },
        key: id,
        unique: [['deviceCodeHash'], ['userCodeHash']],
        index: [['siloUserId'], ['timeCreated']],
      },
    },
  },
  {
    name: '0017-tasks',
    tables: {
      task: {
        columns: {
          id: 't',
          userId: 't',
          at: 'i',
          sessionId: 't',
          remote: 't',
          kind: 't',
          action: 't',
          groupId: 't?',
          retryOf: 't?',
          state: 't',
          total: 'i',
          leaseUntil: 'i',
          timeStarted: 'i?',
          timeEnded: 'i?',
          countsJson: 't?',
          message: 't?',
        },
        key: ['userId', 'id'],
        unique: [['userId', 'at']],
        index: [['timeEnded', 'at']],
      },
      taskItem: {
        columns: {
          taskId: 't',
          position: 'i',
          itemId: 't',
          name: 't',
          inProject: 't?',
          state: 't',
          code: 't?',
          message: 't?',
          timeCompleted: 'i?',
        },
        key: ['taskId', 'position'],
        inOrderOfKey: true,
        index: [['taskId', 'state', 'position']],
      },
    },
  },
  {
    name: '0018-scim-tokens',
    tables: {
      scimToken: {
        columns: { id: 't', siloId: 't', tokenHash: 't', timeCreated: 'i', timeExpires: 'i?' },
        key: id,
        unique: [['tokenHash']],
        index: [['siloId', 'timeCreated']],
      },
    },
  },
  {
    name: '0019-instances-of-silos',
    columns: { instance: { columns: {}, index: [['siloId', 'name', 'id']] } },
  },
  {
    name: '0020-list-views',
    tables: {
      listView: { columns: { userId: 't', kind: 't', viewsJson: 't' }, key: ['userId', 'kind'] },
    },
  },
  {
    name: '0021-fewer-indexes-of-addresses',
    dropped: [
      'externalIp_projectId_name',
      'externalIp_projectId_kind_name',
      'externalIp_projectId_kind_id',
      'networkInterface_vpcId_mac',
      'networkInterface_mac',
    ],
    columns: { externalIp: { columns: {}, index: [['projectId', 'ipPoolId']] } },
    fill: indexFloating,
  },
  { name: '0022-names-of-snapshots-of-tasks', columns: { task: { columns: { namePattern: 't?' } } } },
  {
    name: '0023-indexes-of-some-instances',
    dropped: ['instance_sledId', 'instance_dueAt'],
    fill: indexPlacedAndDue,
  },
] as const satisfies readonly Step[]

type Steps = (typeof steps)[number]
/** The columns that the steps give table `T`, with their kinds. */
type Made<T extends TableName, S = Steps> =
  | (S extends { tables: { [N in T]: { columns: infer C } } } ? C : never)
  | (S extends { columns: { [N in T]: { columns: infer C } } } ? C : never)
type Values = { t: string; i: number; b: Uint8Array; 't?': string | null; 'i?': number | null }
type KindOf<C, Key> = C extends unknown ? (Key extends keyof C ? C[Key] & Kind : never) : never
/** Columns of a table that no step makes, or not of their type. */
type Forgotten<T extends TableName> = {
  [C in keyof Tables[T] & string]: [Tables[T][C]] extends [Values[KindOf<Made<T>, C>]] ? never : `${T}.${C}`
}[keyof Tables[T] & string]
type AllForgotten = { [T in TableName]: Forgotten<T> }[TableName]

/** All steps. It does not compile while a column of `Tables` is made by none. */
const allSteps: readonly Step[] = steps satisfies [AllForgotten] extends [never]
  ? unknown
  : `no step makes ${AllForgotten}`

/** The names of all tables. */
export const tables = allSteps.flatMap((step) => Object.keys(step.tables ?? {})) as TableName[]

/** The columns of all tables, as `table.column`. */
export const columns: readonly string[] = allSteps.flatMap(({ tables: made, columns: added }) =>
  [...Object.entries(made ?? {}), ...Object.entries(added ?? {})].flatMap(([table, spec]) =>
    Object.keys(spec.columns).map((column) => `${table}.${column}`),
  ),
)

/** All migrations by name, in the order of their names; `now` is when they are applied. */
export const migrationsFor = (engine: Engine['name'], now: number): Record<string, Migration> =>
  Object.fromEntries(allSteps.map((step) => [step.name, { up: (db) => apply(db, engine, { ...step, now }) }]))

async function apply(tx: Tx, engine: Engine['name'], step: Step & { now: number }): Promise<void> {
  for (const [name, spec] of Object.entries(step.tables ?? {}))
    await createTable(tx, engine, { name, ...spec })
  for (const [name, spec] of Object.entries(step.columns ?? {}))
    await addColumns(tx, engine, { name, ...spec })
  for (const name of step.dropped ?? []) await tx.schema.dropIndex(name).execute()
  await step.fill?.(tx, step.now, engine)
}

/** Users and groups are found by the words of their names; roles of those that are gone are gone as well. */
async function fillPrincipals(tx: Tx): Promise<void> {
  for (const table of ['siloUser', 'siloGroup'] as const) {
    const all = await tx.selectFrom(table).select(['id', 'siloId', 'displayName']).execute()
    await addPrincipalWords(tx, all)
  }
  for (const [identityType, table] of [
    ['silo_user', 'siloUser'],
    ['silo_group', 'siloGroup'],
  ] as const)
    await tx
      .deleteFrom('roleAssignment')
      .where('identityType', '=', identityType)
      .where('identityId', 'not in', (eb) => eb.selectFrom(table).select(`${table}.id`))
      .execute()
}

// Their rows change with whatever is made in them.
const busyTables = ['project', 'vpcSubnet', 'tally', 'usage', 'ipPoolRange']

/**
 * Whoever divides an address looks for whole ones in an index that no block of source NAT is in. Rows that change often
 * have room for the next version beside them: one in another page is a new entry in every index, which conflicts with
 * all who read there.
 */
async function avoidConflicts(tx: Tx, _: number, engine: Engine['name']): Promise<void> {
  await tx.schema
    .createIndex('externalIp_whole')
    .on('externalIp')
    .columns(['ipPoolId', 'ipKey'])
    .where(sql.ref('kind'), '!=', sql.lit('snat'))
    .execute()
  if (engine !== 'postgres') return
  for (const name of busyTables) await sql`alter table ${sql.table(name)} set (fillfactor = 40)`.execute(tx)
}

/**
 * Floating IPs alone have names and a list: the other addresses, of which each instance has some, need no place in these indexes. The
 * index by MAC tells that one is unique in its VPC as well.
 */
async function indexFloating(tx: Tx): Promise<void> {
  for (const column of ['name', 'id']) {
    const index = tx.schema
      .createIndex(`externalIp_floating_${column}`)
      .on('externalIp')
      .columns(['projectId', column])
      .where(sql.ref('kind'), '=', sql.lit('floating'))
    await (column === 'name' ? index.unique() : index).execute()
  }
  await tx.schema
    .createIndex('networkInterface_mac_vpcId')
    .on('networkInterface')
    .columns(['mac', 'vpcId'])
    .unique()
    .execute()
}

/** Most instances are on no sled and not due: they need no place in the indexes that find those that are. */
async function indexPlacedAndDue(tx: Tx): Promise<void> {
  for (const [name, column, set] of [
    ['instance_placed', 'projectId', 'sledId'],
    ['instance_sled', 'sledId', 'sledId'],
    ['instance_due', 'dueAt', 'dueAt'],
  ] as const)
    await tx.schema
      .createIndex(name)
      .on('instance')
      .column(column)
      .where(sql.ref(set), 'is not', null)
      .execute()
}

/** The history of provisioning starts with the present values; the fleet's total is recorded from here on. */
async function beginUsageSamples(tx: Tx, at: number): Promise<void> {
  const silos = await tx
    .selectFrom('usage')
    .innerJoin('silo', 'silo.id', 'usage.id')
    .selectAll('usage')
    .execute()
  const sum = (key: 'cpus' | 'memory' | 'storage') => silos.reduce((all, one) => all + one[key], 0)
  if (silos.length === 0) return
  const fleet = { id: fleetId, cpus: sum('cpus'), memory: sum('memory'), storage: sum('storage') }
  await tx.insertInto('usage').values(fleet).execute()
  for (const { id: of, cpus, memory, storage } of await tx.selectFrom('usage').selectAll().execute())
    await tx
      .insertInto('usageSample')
      .values([
        { id: of, metric: 'cpus_provisioned', at, value: cpus },
        { id: of, metric: 'ram_provisioned', at, value: memory },
        { id: of, metric: 'virtual_disk_space_provisioned', at, value: storage },
      ])
      .execute()
}

// Names page in byte order of their ASCII text, whatever the collation of the server.
function typeOf(engine: Engine['name'], kind: Kind) {
  if (kind.startsWith('i')) return sql`bigint`
  if (kind === 'b') return engine === 'postgres' ? sql`bytea` : sql`blob`
  return engine === 'postgres' ? sql`text collate "C"` : sql`text`
}

async function addColumns(
  tx: Tx,
  engine: Engine['name'],
  { name, columns, index }: Pick<TableSpec, 'columns' | 'index'> & { name: string },
): Promise<void> {
  for (const [column, kind] of Object.entries(columns))
    await tx.schema.alterTable(name).addColumn(column, typeOf(engine, kind)).execute()
  await addIndexes(tx, { name, ...(index ? { index } : {}) })
}

async function createTable(
  tx: Tx,
  engine: Engine['name'],
  spec: TableSpec & { name: string },
): Promise<void> {
  const { name } = spec
  let table: CreateTableBuilder<string, string> = tx.schema.createTable(name)
  for (const [column, kind] of Object.entries(spec.columns)) {
    table = table.addColumn(column, typeOf(engine, kind), (c) => (kind.endsWith('?') ? c : c.notNull()))
  }
  const isNumbered = spec.isNumbered && engine === 'sqlite'
  if (isNumbered) table = table.addColumn('seq', 'integer', (c) => c.primaryKey())
  const keyed = isNumbered
    ? table.addUniqueConstraint(`${name}_key`, [...spec.key])
    : table.addPrimaryKeyConstraint(`${name}_key`, [...spec.key])
  const isClustered = spec.inOrderOfKey && engine === 'sqlite'
  await (isClustered ? keyed.modifyEnd(sql`without rowid`) : keyed).execute()
  await addIndexes(tx, spec)
}

async function addIndexes(
  tx: Tx,
  { name, ...spec }: Pick<TableSpec, 'unique' | 'index'> & { name: string },
): Promise<void> {
  const all = [
    ...(spec.unique ?? []).map((columns) => ({ columns, unique: true })),
    ...(spec.index ?? []).map((columns) => ({ columns, unique: false })),
  ]
  for (const { columns, unique } of all) {
    const index = tx.schema
      .createIndex(`${name}_${columns.join('_')}`)
      .on(name)
      .columns([...columns])
    await (unique ? index.unique() : index).execute()
  }
}

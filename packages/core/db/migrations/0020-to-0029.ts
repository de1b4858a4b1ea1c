import { sql } from 'kysely'
import { id, type Db, type Step } from './step.ts'

const times = { timeCreated: 'i', timeModified: 'i' } as const
const reported = { timeReported: 'i?', missingSince: 'i?' } as const

export const steps0020to0029 = [
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
  { name: '0024-layers-with-bytes', columns: { layer: { columns: { hasBytes: 'i?' } } } },
  { name: '0025-credentials-of-tasks', columns: { task: { columns: { authMethod: 't?' } } } },
  {
    name: '0026-hardware',
    tables: {
      rack: { columns: { id: 't', serial: 't', ...times, ...reported }, key: id },
      uninitializedSled: {
        columns: { serial: 't', part: 't', revision: 'i', rackId: 't', cubby: 'i' },
        key: ['serial', 'part'],
      },
      physicalDisk: {
        columns: {
          id: 't',
          sledId: 't',
          vendor: 't',
          model: 't',
          serial: 't',
          formFactor: 't',
          size: 'i',
          health: 't',
          healthReason: 't?',
          unhealthySince: 'i?',
          wear: 'i?',
          temperature: 'i?',
          policy: 't',
          state: 't',
          ...times,
          ...reported,
        },
        key: id,
        index: [['sledId', 'id']],
      },
      switch: {
        columns: {
          id: 't',
          rackId: 't',
          location: 't',
          vendor: 't',
          model: 't',
          serial: 't',
          part: 't',
          revision: 'i',
          temperature: 'i?',
          ...times,
          ...reported,
        },
        key: id,
      },
      switchPort: {
        columns: {
          id: 't',
          rackId: 't',
          switchId: 't',
          switchLocation: 't',
          name: 't',
          portSettingsId: 't?',
          linkState: 't',
          linkSince: 'i?',
          speed: 'i?',
          transceiverJson: 't?',
          ...reported,
        },
        key: id,
        unique: [['rackId', 'switchLocation', 'name']],
      },
    },
    columns: { sled: { columns: { policy: 't?', state: 't?', hostJson: 't?', ...reported } } },
  },
  {
    name: '0027-updates',
    tables: {
      systemUpdateTrustRoot: { columns: { id: 't', document: 't', timeCreated: 'i' }, key: id },
      systemUpdateRepository: {
        columns: {
          id: 't',
          systemVersion: 't',
          versionKey: 't',
          hash: 't',
          fileName: 't',
          fileId: 't',
          size: 'i',
          timeCreated: 'i',
          trustRootId: 't',
          rootVersion: 'i',
          timestamp: 't',
          snapshot: 't',
        },
        key: id,
        unique: [['systemVersion'], ['versionKey']],
      },
      updateArtifact: {
        columns: { repositoryId: 't', kind: 't', name: 't', version: 't', hash: 't', size: 'i' },
        key: ['repositoryId', 'kind', 'name', 'version'],
        index: [['name', 'version']],
      },
      systemUpdateUpload: {
        columns: { id: 't', fileName: 't', size: 'i?', received: 'i', timeCreated: 'i', timeExpires: 'i' },
        key: id,
      },
      targetRelease: {
        columns: { generation: 'i', systemVersion: 't', timeRequested: 'i' },
        key: ['generation'],
      },
    },
  },
  {
    name: '0028-maintenance-of-sleds',
    columns: {
      instance: { columns: { migrationId: 't?', migrationSledId: 't?' } },
      sled: { columns: { maintenanceSince: 'i?', maintenanceTaskId: 't?', policyBefore: 't?' } },
    },
    fill: indexRunningItems,
  },
  {
    name: '0029-attention',
    tables: {
      attention: {
        columns: {
          id: 't',
          kind: 't',
          severity: 't',
          subjectType: 't',
          subjectId: 't',
          subjectName: 't',
          within: 't?',
          since: 'i',
          text: 't',
          advice: 't',
        },
        key: id,
      },
    },
  },
] as const satisfies readonly Step[]

/** Few items run at a time: a machine that has ended finds its own. */
async function indexRunningItems(db: Db): Promise<void> {
  await db.schema
    .createIndex('taskItem_running')
    .on('taskItem')
    .column('itemId')
    .where(sql.ref('state'), '=', sql.lit('running'))
    .execute()
}

/**
 * Only floating IPs have names and a list. The other addresses, of which each instance has some, do not belong in
 * these indexes. The index by MAC also keeps it unique in its VPC.
 */
async function indexFloating(db: Db): Promise<void> {
  for (const column of ['name', 'id']) {
    const index = db.schema
      .createIndex(`externalIp_floating_${column}`)
      .on('externalIp')
      .columns(['projectId', column])
      .where(sql.ref('kind'), '=', sql.lit('floating'))
    await (column === 'name' ? index.unique() : index).execute()
  }
  await db.schema
    .createIndex('networkInterface_mac_vpcId')
    .on('networkInterface')
    .columns(['mac', 'vpcId'])
    .unique()
    .execute()
}

/** Most instances are on no sled and not due: they need no place in the indexes that find those that are. */
async function indexPlacedAndDue(db: Db): Promise<void> {
  for (const [name, column, set] of [
    ['instance_placed', 'projectId', 'sledId'],
    ['instance_sled', 'sledId', 'sledId'],
    ['instance_due', 'dueAt', 'dueAt'],
  ] as const)
    await db.schema
      .createIndex(name)
      .on('instance')
      .column(column)
      .where(sql.ref(set), 'is not', null)
      .execute()
}

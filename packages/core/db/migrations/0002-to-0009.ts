import { fillNetworkTallies, fillTallies, reserveWhatThereIs } from './counts.ts'
import { id, identity, type Db, type Step } from './step.ts'

export const steps0002to0009 = [
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
] as const satisfies readonly Step[]

interface Usage {
  id: string
  cpus: number
  memory: number
  storage: number
}

/** The history of provisioning starts with the present values; the fleet's total is recorded from here on. */
async function beginUsageSamples(db: Db, { now: at }: { now: number }): Promise<void> {
  const known = db.$extendTables<{
    usage: Usage
    silo: { id: string }
    usageSample: { id: string; metric: string; at: number; value: number }
  }>()
  const silos = await known
    .selectFrom('usage')
    .innerJoin('silo', 'silo.id', 'usage.id')
    .select(['usage.id', 'cpus', 'memory', 'storage'])
    .execute()
  if (silos.length === 0) return
  const sum = (key: 'cpus' | 'memory' | 'storage') => silos.reduce((all, one) => all + one[key], 0)
  const fleet = '001de000-1334-4000-8000-000000000000'
  await known
    .insertInto('usage')
    .values({ id: fleet, cpus: sum('cpus'), memory: sum('memory'), storage: sum('storage') })
    .execute()
  const all = await known.selectFrom('usage').select(['id', 'cpus', 'memory', 'storage']).execute()
  for (const { id: of, cpus, memory, storage } of all)
    await known
      .insertInto('usageSample')
      .values([
        { id: of, metric: 'cpus_provisioned', at, value: cpus },
        { id: of, metric: 'ram_provisioned', at, value: memory },
        { id: of, metric: 'virtual_disk_space_provisioned', at, value: storage },
      ])
      .execute()
}

/** Makes the IP pools of the control plane itself, one of each version. No operation has made pools before, so the names are free. */
async function addServicePools(db: Db, { now }: { now: number }): Promise<void> {
  for (const ipVersion of ['v4', 'v6'])
    await db
      .$extendTables<{ ipPool: Record<string, string | number> }>()
      .insertInto('ipPool')
      .values({
        id: `001de000-1337-4000-8000-00000000000${ipVersion.slice(1)}`,
        name: `control-plane-${ipVersion}`,
        description: 'Addresses of the control plane itself',
        timeCreated: now,
        timeModified: now,
        rcgen: 0,
        ipVersion,
        purpose: 'service',
      })
      .execute()
}

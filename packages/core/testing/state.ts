/** The whole content of the database: to check that a failed request changed nothing and that rows are consistent. */
import type { TableName, Tables, Tx } from '#/db/tables.ts'
import { expect } from 'vitest'
import { GiB } from '@purlin/contract/rules/limits'
import { counts, holdersOf } from '@purlin/contract/rules/counts'
import { kindNames, type KindName } from '@purlin/contract/rules/kinds'
import { fleetId } from '#/db/rows/fleet.ts'
import { tables } from '#/db/schema.ts'
import { rowsOf } from '#/db/kinds.ts'
import { addToSearch, indexedKinds, isShown, wordsOfRow } from '#/db/lists/search-index.ts'
import type { TestWorld } from './world.ts'

type Dump = Record<string, string[]>

/** Tables that loops write independently of requests, and those of the audit log. */
const background: TableName[] = [
  'lease',
  'vpcNetwork',
  'sledSamples',
  'rack',
  'uninitializedSled',
  'physicalDisk',
  'switch',
  'switchPort',
  'fleetAuthority',
  'forgottenHost',
  'attention',
  'alert',
  'alertDelivery',
  'supportBundle',
  'sledLoad',
  'backupSchedule',
  'timeseriesSource',
  'timeseriesField',
  'timeseriesChunk',
  // Refused requests are recorded as well.
  'auditPending',
  'auditEntry',
  'auditKey',
  'auditChain',
]

/** A loop takes them once a day. */
const isSampleOfPool = (row: object): boolean => 'metric' in row && row.metric === 'addresses_assigned'

/** Every row of every table that requests write, sorted. */
export async function dump({ world }: TestWorld): Promise<Dump> {
  return world.engine.transaction('read', async (tx) => {
    const all: Dump = {}
    for (const table of tables.filter((one) => !background.includes(one))) {
      const rows = await tx
        .selectFrom(table as 'silo')
        .selectAll()
        .execute()
        .then((found) => found.filter((row) => !isSampleOfPool(row)))
      all[table] = rows.map((row) => JSON.stringify(row, Object.keys(row).toSorted())).toSorted()
    }
    return all
  })
}

/** The invariants that are violated, one line each. */
export async function violations(tx: Tx): Promise<string[]> {
  const wrong: string[] = []
  const must = (fine: boolean, what: string) => void (fine || wrong.push(what))
  const rows = async <T extends TableName>(table: T) =>
    (await tx
      .selectFrom(table as 'silo')
      .selectAll()
      .execute()) as unknown as Tables[T][]
  const instances = new Map((await rows('instance')).map((row) => [row.id, row]))
  const projects = new Set((await rows('project')).map((row) => row.id))
  const disks = await rows('disk')
  const snapshots = await rows('snapshot')
  const imports = await rows('imageImport')
  const layers = new Map((await rows('layer')).map((row) => [row.id, row.parentId]))
  const nics = await rows('networkInterface')
  const probes = new Set((await rows('probe')).map((row) => row.id))
  const ownerOf = (nic: { owner: string }) => (nic.owner === 'probe' ? probes : instances)
  const subnets = new Set((await rows('vpcSubnet')).map((row) => row.id))
  const vpcs = new Map((await rows('vpc')).map((row) => [row.id, row]))

  const slots = new Set<string>()
  for (const disk of disks) {
    const owner = instances.get(disk.instanceId ?? '')
    const isAttached = disk.instanceId !== null
    must(projects.has(disk.projectId), `disk ${disk.name} has no project`)
    must(
      isAttached === (disk.state === 'attached'),
      `disk ${disk.name} is ${disk.state}, instance ${disk.instanceId}`,
    )
    must(isAttached === (disk.slot !== null), `disk ${disk.name} is ${disk.state} at slot ${disk.slot}`)
    must(!isAttached || owner?.projectId === disk.projectId, `disk ${disk.name} is attached to no instance`)
    must(!isAttached || !slots.has(`${disk.instanceId} ${disk.slot}`), `disk ${disk.name} shares its slot`)
    must(disk.slot === null || (disk.slot >= 0 && disk.slot < 8), `disk ${disk.name} is at slot ${disk.slot}`)
    slots.add(`${disk.instanceId} ${disk.slot}`)
  }
  for (const { name, layerId } of [...disks, ...snapshots, ...(await rows('image'))])
    must(layerId === null || layers.has(layerId), `the layer of ${name} is gone`)
  for (const parentId of layers.values())
    must(parentId === null || layers.has(parentId), 'the parent of a layer is missing')
  const written = disks.map((one) => one.layerId).filter((one) => one !== null)
  const frozen = new Set([...snapshots.map((one) => one.layerId), ...layers.values()])
  must(new Set(written).size === written.length, 'two disks write the same layer')
  must(!written.some((one) => frozen.has(one)), 'a disk writes a layer of the past')
  for (const snapshot of snapshots)
    must(projects.has(snapshot.projectId), `snapshot ${snapshot.name} has no project`)
  for (const { name, state, diskId, storage } of snapshots.filter((one) => one.storage !== null)) {
    const of = instances.get(disks.find((disk) => disk.id === diskId)?.instanceId ?? '')
    const isWritten = of !== undefined && of.sledId !== null && (of.storageConfirmed ?? 0) < (storage ?? 0)
    must(state === 'creating' && isWritten, `snapshot ${name} is ${state}, and no guest writes to it`)
  }
  for (const nic of nics) {
    must(ownerOf(nic).has(nic.instanceId), `interface ${nic.name} has no ${nic.owner}`)
    must(subnets.has(nic.subnetId) && vpcs.has(nic.vpcId), `interface ${nic.name} has no network`)
  }
  const primaries = nics.filter((nic) => nic.isPrimary === 1).map((nic) => nic.instanceId)
  must(new Set(primaries).size === primaries.length, 'an instance has two primary interfaces')
  must(
    primaries.length === new Set(nics.map((nic) => nic.instanceId)).size,
    'an instance has no primary interface',
  )

  for (const instance of instances.values()) {
    const { name, runState, sledId, bootDiskId } = instance
    const placed = ['starting', 'running', 'rebooting', 'migrating', 'repairing', 'stopping'].includes(
      runState,
    )
    must(projects.has(instance.projectId), `instance ${name} has no project`)
    must(instance.migrationSledId === null || placed, `instance ${name} is ${runState} and on its way`)
    must(placed === (sledId !== null), `instance ${name} is ${runState} on sled ${sledId}`)
    const boot = disks.find((disk) => disk.id === bootDiskId)
    must(bootDiskId === null || boot?.instanceId === instance.id, `instance ${name} has lost its boot disk`)
  }
  for (const vpc of vpcs.values()) must(projects.has(vpc.projectId), `vpc ${vpc.name} has no project`)
  for (const table of ['vpcRouter', 'vpcSubnet', 'vpcFirewallRule', 'internetGateway'] as const)
    for (const row of await rows(table)) must(vpcs.has(row.vpcId), `${table} ${row.name} has no vpc`)
  const routers = new Set((await rows('vpcRouter')).map((row) => row.id))
  for (const route of await rows('routerRoute'))
    must(routers.has(route.vpcRouterId), `route ${route.name} has no router`)
  const gateways = new Set((await rows('internetGateway')).map((row) => row.id))
  for (const table of ['internetGatewayIpPool', 'internetGatewayIpAddress'] as const)
    for (const row of await rows(table))
      must(gateways.has(row.internetGatewayId), `${table} ${row.name} has no gateway`)
  for (const vpc of vpcs.values())
    must(routers.has(vpc.systemRouterId), `vpc ${vpc.name} has no system router`)

  const used = new Set<string>()
  for (const address of await rows('externalIp')) {
    const { kind, name, instanceId } = address
    must(projects.has(address.projectId), `address ${name} has no project`)
    must(
      instanceId === null
        ? kind === 'floating'
        : instances.has(instanceId) || (kind === 'ephemeral' && probes.has(instanceId)),
      `address ${name} (${kind}) has no owner`,
    )
    used.add(kind === 'snat' ? `${address.ipPoolId} ${address.ipKey} ${address.firstPort}` : '')
    used.add(`${address.ipPoolId} ${address.ipKey}`)
  }
  for (const nic of nics) used.add(`${nic.subnetId} ${nic.ipKey}`)
  for (const { spaceId, ipKey } of await rows('freedAddress'))
    must(!used.has(`${spaceId} ${ipKey}`), `address ${ipKey} is both free and used`)
  for (const { ipPoolId, ipKey, firstPort } of await rows('snatBlock'))
    must(
      !used.has(`${ipPoolId} ${ipKey} ${firstPort}`),
      `ports ${firstPort} of ${ipKey} are both free and used`,
    )

  const keys = new Set((await rows('sshKey')).map((row) => row.id))
  for (const link of await rows('instanceSshKey'))
    must(instances.has(link.instanceId) && keys.has(link.sshKeyId), 'an SSH key has no owner')
  const groups = new Set((await rows('affinityGroup')).map((row) => row.id))
  for (const member of await rows('affinityMember'))
    must(instances.has(member.instanceId) && groups.has(member.groupId), 'an affinity member is gone')
  for (const one of await rows('roleAssignment'))
    must(
      one.resourceType !== 'project' || projects.has(one.resourceId),
      'a role speaks of a project that is gone',
    )

  const sum = (list: number[]) => list.reduce((all, one) => all + one, 0)
  const placed = [...instances.values()].filter((one) => one.sledId !== null)
  const siloIds = (await rows('silo')).map((row) => row.id)
  const usage = new Map((await rows('usage')).map((row) => [row.id, row]))
  must(
    usage.size === siloIds.length + projects.size + Number(usage.has(fleetId)),
    'usage must have a row for each silo and project, and one for the fleet',
  )
  for (const id of [fleetId, ...siloIds, ...projects]) {
    const owned = <T extends { projectId: string; siloId: string }>(list: T[]) =>
      list.filter((one) => id === fleetId || one.projectId === id || one.siloId === id)
    const expected = {
      id,
      cpus: sum(owned(placed).map((one) => one.ncpus)),
      memory: sum(owned(placed).map((one) => one.memory)),
      storage:
        sum([...owned(disks), ...owned(snapshots)].map((one) => one.size)) +
        sum(owned(imports).map((one) => one.charged ?? 0)),
    }
    // Without a row for the fleet, nothing was ever charged.
    const kept = usage.get(id) ?? { id, cpus: 0, memory: 0, storage: 0 }
    const fits =
      kept.cpus === expected.cpus && kept.memory === expected.memory && kept.storage === expected.storage
    must(fits, `usage ${JSON.stringify(kept)} is not ${JSON.stringify(expected)}`)
  }
  const open = (await rows('usagePeriod')).filter((one) => one.timeEnded === null)
  for (const id of projects) {
    const own = open.filter((one) => one.inProject === id)
    const kept = usage.get(id)
    const fits =
      kept?.cpus === sum(own.map((one) => one.cpus)) &&
      kept.memory === GiB * sum(own.map((one) => one.memoryGib)) &&
      kept.storage === GiB * sum(own.map((one) => one.storageGib))
    must(fits, `the periods of use are not ${JSON.stringify(kept)}`)
  }
  for (const sled of await rows('sled')) {
    const onSled = placed.filter((one) => one.sledId === sled.id || one.migrationSledId === sled.id)
    const fits =
      sled.usedThreads === sum(onSled.map((one) => one.ncpus)) &&
      sled.usedMemory === sum(onSled.map((one) => one.memory))
    must(fits, `sled ${sled.serial} counts ${sled.usedThreads} threads and ${sled.usedMemory} bytes`)
  }
  return [...wrong, ...(await wrongTallies(tx)), ...(await wrongWords(tx))]
}

/** The tallies that are not the number of rows, one line each. */
async function wrongTallies(tx: Tx): Promise<string[]> {
  const projects = await tx.selectFrom('project').select(['id', 'siloId']).execute()
  const siloOf = new Map(projects.map(({ id, siloId }) => [id, siloId]))
  const wrong: string[] = []
  const left = new Map<string, number>()
  const add = (key: string, by: number) => void left.set(key, (left.get(key) ?? 0) + by)
  for (const { holderId, kind, count, reserved } of await tx.selectFrom('tally').selectAll().execute()) {
    add(`${kind} in ${holderId}`, count)
    const siloId = siloOf.get(holderId)
    const isShared = holdersOf(counts, kind as KindName).some(([holder]) => holder === 'silo')
    if (siloId === undefined || !isShared) continue
    add(`${kind} in ${siloId}`, -(reserved ?? 0))
    if ((reserved ?? 0) < count) wrong.push(`${holderId} has more of ${kind} than it has reserved`)
  }
  for (const kind of kindNames)
    for (const row of await rowsOf(tx, kind).selectAll().execute())
      for (const [holder] of holdersOf(counts, kind)) {
        // The resources of a project are in its reserve.
        const id = holder === 'silo' && row.projectId ? null : row[`${holder}Id` as 'projectId' | 'siloId']
        if (id != null) add(`${kind} in ${id}`, -1)
      }
  for (const [what, by] of left) if (by !== 0) wrong.push(`the tally of ${what} is wrong by ${by}`)
  return wrong
}

/** The rows that cannot be found by their words, and the words of rows that are gone, one line each. */
async function wrongWords(tx: Tx): Promise<string[]> {
  const words = new Map((await tx.selectFrom('searchText').selectAll().execute()).map((row) => [row.id, row]))
  const wrong: string[] = []
  for (const kind of indexedKinds)
    for (const row of (await rowsOf(tx, kind).selectAll().execute()).filter((one) =>
      isShown(one as { purpose?: string | null }),
    )) {
      const found = words.get(row.id)
      const missing = wordsOfRow(kind, row).filter((word) => found?.words.split(' ').includes(word) !== true)
      if (found?.kind !== kind || missing.length > 0)
        wrong.push(`${kind} ${row.name} lacks words: ${missing.join(' ')}`)
      words.delete(row.id)
    }
  for (const { id, kind } of words.values()) wrong.push(`words of ${kind} ${id}, which is gone`)
  return wrong
}

/** `violations` of a test world. */
export const disorder = ({ world }: TestWorld): Promise<string[]> =>
  world.engine.transaction('read', violations)

/** Makes a check that an attempt fails for a reason and leaves the database as it was. */
export const rejectsIn =
  (world: () => TestWorld) =>
  async (attempt: () => Promise<unknown>, reason: object): Promise<void> => {
    await world().settle()
    const before = await dump(world())
    await expect(attempt()).rejects.toMatchObject(reason)
    await world().settle()
    expect(await dump(world())).toEqual(before)
  }

/** Indexes all rows of all kinds, of which none is indexed yet. */
export async function indexEverything(tx: Tx): Promise<void> {
  for (const kind of indexedKinds)
    for (const row of await rowsOf(tx, kind).selectAll().execute()) await addToSearch(tx, kind, row)
}

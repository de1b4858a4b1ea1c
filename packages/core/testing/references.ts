/** Rows that refer to missing rows, in all tables. */
import { fleetId } from '#/db/rows/fleet.ts'
import { columns } from '#/db/schema.ts'
import type { TableName, Tx } from '#/db/tables.ts'

/** The tables of which one has the row that a column of this name refers to. */
const referred: Record<string, readonly TableName[]> = {
  siloId: ['silo'],
  projectId: ['project'],
  onlyProjectId: ['project'],
  siloUserId: ['siloUser'],
  userId: ['siloUser'],
  groupId: ['siloGroup', 'affinityGroup'],
  identityId: ['siloUser', 'siloGroup'],
  principalId: ['siloUser', 'siloGroup'],
  resourceId: ['silo', 'project'],
  scopeId: ['silo', 'project'],
  holderId: [
    'silo',
    'project',
    'siloUser',
    'vpc',
    'vpcRouter',
    'internetGateway',
    'instance',
    'affinityGroup',
  ],
  vpcId: ['vpc'],
  systemRouterId: ['vpcRouter'],
  vpcRouterId: ['vpcRouter'],
  customRouterId: ['vpcRouter'],
  subnetId: ['vpcSubnet'],
  internetGatewayId: ['internetGateway'],
  ipPoolId: ['ipPool'],
  spaceId: ['vpcSubnet', 'ipPool'],
  instanceId: ['instance'],
  instanceSnapshotId: ['instanceSnapshot'],
  providerId: ['identityProvider'],
  bootDiskId: ['disk'],
  diskId: ['disk'],
  sshKeyId: ['sshKey'],
  layerId: ['layer'],
  parentId: ['layer'],
  sledId: ['sled'],
  migrationSledId: ['sled'],
  rackId: ['rack'],
  switchId: ['switch'],
  addressLotId: ['addressLot'],
  addressLotBlockId: ['addressLotBlock'],
  bgpAnnounceSetId: ['bgpAnnounceSet'],
  bgpConfigId: ['bgpConfig'],
  switchPortSettingsId: ['switchPortSettings'],
  portSettingsId: ['switchPortSettings'],
  unitId: ['sled', 'switch'],
  alertReceiverId: ['alertReceiver'],
  alertId: ['alert'],
  repositoryId: ['systemUpdateRepository'],
  sourceId: ['timeseriesSource'],
}

/** Columns that say what something was made from, or what no table has. */
const remembered = new Set([
  'disk.snapshotId',
  'disk.imageId',
  'snapshot.diskId',
  'snapshot.scheduleId',
  'instanceSnapshot.scheduleId',
  'task.scheduleId',
  // Its runs fail once the user is gone.
  'snapshotSchedule.userId',
  'schedule.userId',
  // It may have been removed.
  'schedule.taskId',
  'instance.migrationId',
  // Trust roots may be deleted, files pruned, and tasks and findings may end first.
  'systemUpdateRepository.fileId',
  'supportBundle.fileId',
  'imageImport.fileId',
  'systemUpdateRepository.trustRootId',
  'sled.maintenanceTaskId',
  'attention.subjectId',
  'alert.subjectId',
  'alert.findingId',
  'backupSchedule.backupId',
  // The number of a VLAN.
  'switchPortAddress.vlanId',
  'siloUser.externalId',
  // Of an identity provider, and how it knows the service.
  'samlProvider.entityId',
  'samlProvider.serviceEntityId',
  'oidcProvider.clientId',
  // Sessions outlive the provider.
  'session.providerId',
  'deviceRequest.clientId',
  'task.sessionId',
  // Its sessions may end first. The request is one to the provider.
  'signInTest.sessionId',
  'signInTest.requestId',
  // Its sleds that are out of service outlive a host.
  'sled.hostId',
  'switch.hostId',
  // The audit log names them.
  'hostJoinCode.userId',
  'hostJoinCode.userSiloId',
  'task.groupId',
  // A loop removes the tasks of those who are gone.
  'task.userId',
  'usagePeriod.resourceId',
  'usageTag.resourceId',
  'taskItem.taskId',
  'taskItem.itemId',
])
/** The audit log names deleted resources. */
const isRemembered = (column: string): boolean => remembered.has(column) || column.startsWith('audit')

/** Columns whose names do not say that they are references. */
const others: Record<string, readonly TableName[]> = {
  'usage.id': ['silo', 'project'],
  'usageSample.id': ['silo', 'project', 'ipPool'],
  'networkInterface.instanceId': ['instance', 'probe'],
  'externalIp.instanceId': ['instance', 'probe'],
  'samlProvider.id': ['identityProvider'],
  'oidcProvider.id': ['identityProvider'],
  'serviceAccount.id': ['siloUser'],
  'tag.resourceId': [
    'project',
    'instance',
    'disk',
    'snapshot',
    'instanceSnapshot',
    'userDataTemplate',
    'image',
    'externalIp',
    'vpc',
  ],
}

/** The columns that are named like references, and are in none of the lists above. */
export const unknownReferences = (): string[] =>
  columns.filter((one) => {
    const [, column = ''] = one.split('.')
    return column.endsWith('Id') && !(column in referred) && !isRemembered(one)
  })

/** `table.column: value` for each value that no row has as its id. */
export async function dangling(tx: Tx): Promise<string[]> {
  const found: string[] = []
  const idsOf = new Map<TableName, Set<string | null>>()
  const idsIn = async (table: TableName) => {
    const known = idsOf.get(table) ?? new Set(await valuesOf(tx, [table, 'id']))
    idsOf.set(table, known)
    return known
  }
  for (const one of columns) {
    const [table = '', column = ''] = one.split('.')
    const targets = isRemembered(one) ? undefined : (others[one] ?? referred[column])
    if (!targets) continue
    const ids = await Promise.all(targets.map(idsIn))
    for (const value of new Set(await valuesOf(tx, [table as TableName, column])))
      if (value !== null && value !== fleetId && !ids.some((some) => some.has(value)))
        found.push(`${one}: ${value}`)
  }
  return found
}

async function valuesOf(tx: Tx, [table, column]: [TableName, string]): Promise<(string | null)[]> {
  const rows = await tx
    .selectFrom(table as 'silo')
    .select(column as 'id')
    .execute()
  return rows.map((row) => row[column as 'id'])
}

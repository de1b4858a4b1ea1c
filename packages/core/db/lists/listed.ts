/** The columns that lists read. */
import type { TableName, Tables } from '../tables.ts'

const identity = ['id', 'name', 'description', 'timeCreated', 'timeModified'] as const
const tagged = [...identity, 'tagsJson'] as const
const kept = [...tagged, 'isProtected'] as const
const used = [...kept, 'timeLastUsed'] as const
const principal = ['id', 'displayName', 'siloId'] as const

/**
 * The tables of which lists leave out a column: a secret, a large one, or one that they do not show. The texts of SSH
 * keys once had no maximum, so their columns are named too.
 */
export const listed = {
  siloUser: [...principal, 'isServiceAccount', 'timeDeactivated', 'timeLastSignedIn', 'profileJson'],
  siloGroup: principal,
  session: ['id', 'timeCreated', 'timeLastUsed', 'address', 'userAgent'],
  accessToken: ['id', 'timeCreated', 'timeExpires', 'label', 'isReadOnly', 'onlyProjectId', 'timeLastUsed'],
  scimToken: ['id', 'timeCreated', 'timeExpires', 'label', 'timeLastUsed'],
  secondFactor: [...identity, 'type', 'timeLastUsed'],
  sshKey: [...identity, 'publicKey', 'siloUserId'],
  certificate: [
    ...identity,
    'siloId',
    'certPem',
    'subject',
    'issuer',
    'dnsNamesJson',
    'notBefore',
    'notAfter',
  ],
  ipPool: [...identity, 'ipVersion'],
  ipPoolRange: ['id', 'ipPoolId', 'firstKey', 'lastKey', 'timeCreated'],
  silo: [...identity, 'discoverable', 'identityMode', 'mappedFleetRolesJson', 'adminGroupName'],
  project: kept,
  instance: [
    ...kept,
    'projectId',
    'ncpus',
    'memory',
    'hostname',
    'runState',
    'timeRunStateUpdated',
    'bootDiskId',
    'autoRestartPolicy',
    'timeLastAutoRestarted',
    'cpuPlatform',
    'lastError',
  ],
  disk: [...used, 'projectId', 'size', 'blockSize', 'snapshotId', 'imageId', 'state', 'instanceId'],
  snapshot: [...used, 'projectId', 'diskId', 'state', 'size', 'scheduleId', 'instanceSnapshotId'],
  image: [...used, 'os', 'version', 'size', 'blockSize', 'digest', 'projectId'],
  externalIp: [...used, 'ipKey', 'ipPoolId', 'projectId', 'instanceId'],
  vpc: [...kept, 'projectId', 'systemRouterId', 'ipv6Prefix', 'dnsName'],
  vpcSubnet: [...tagged, 'vpcId', 'ipv4Block', 'ipv6Block', 'customRouterId'],
  vpcRouter: [...tagged, 'vpcId', 'kind'],
  routerRoute: [...identity, 'vpcRouterId', 'kind', 'destinationJson', 'targetJson'],
  internetGateway: [...tagged, 'vpcId'],
  internetGatewayIpPool: [...identity, 'internetGatewayId', 'ipPoolId'],
  internetGatewayIpAddress: [...identity, 'internetGatewayId', 'ipKey'],
  networkInterface: [
    ...identity,
    'instanceId',
    'vpcId',
    'subnetId',
    'mac',
    'ipKey',
    'isPrimary',
    'transitIpsJson',
  ],
  affinityGroup: [...tagged, 'projectId', 'policy'],
  userDataTemplate: [...kept, 'projectId', 'fieldCount'],
  switchPortSettings: identity,
  webhookSecret: ['id', 'alertReceiverId', 'timeCreated'],
  hostJoinCode: ['id', 'timeCreated', 'timeModified', 'timeExpires', 'userName'],
  systemUpdateRepository: ['id', 'systemVersion', 'versionKey', 'hash', 'fileName', 'timeCreated'],
} as const satisfies { [T in TableName]?: readonly (keyof Tables[T])[] }

/** The columns that lists of a table read; undefined for all. */
export const columnsListed = (table: string): readonly string[] | undefined => byTable[table]
const byTable: Partial<Record<string, readonly string[]>> = listed

/** A row of a list. */
export type Listed<T extends TableName> = T extends keyof typeof listed
  ? Pick<Tables[T], (typeof listed)[T][number] & keyof Tables[T]>
  : Tables[T]

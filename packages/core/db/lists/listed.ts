/** The columns that lists show. Lists do not read large columns that they do not show. */
import type { TableName, Tables } from '../tables.ts'

const identity = ['id', 'name', 'description', 'timeCreated', 'timeModified'] as const
const principal = ['id', 'displayName', 'siloId'] as const

export const listed = {
  siloUser: principal,
  siloGroup: principal,
  session: ['id', 'timeCreated', 'timeLastUsed'],
  accessToken: ['id', 'timeCreated', 'timeExpires'],
  scimToken: ['id', 'timeCreated', 'timeExpires'],
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
  ipPoolSilo: ['ipPoolId', 'siloId', 'isDefault'],
  silo: [...identity, 'discoverable', 'identityMode', 'mappedFleetRolesJson', 'adminGroupName'],
  project: identity,
  instance: [
    ...identity,
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
  disk: [...identity, 'projectId', 'size', 'blockSize', 'snapshotId', 'imageId', 'state', 'instanceId'],
  snapshot: [...identity, 'projectId', 'diskId', 'state', 'size'],
  image: [...identity, 'os', 'version', 'size', 'blockSize', 'digest', 'projectId'],
  externalIp: [...identity, 'ipKey', 'ipPoolId', 'projectId', 'instanceId'],
  vpc: [...identity, 'projectId', 'systemRouterId', 'ipv6Prefix', 'dnsName'],
  vpcSubnet: [...identity, 'vpcId', 'ipv4Block', 'ipv6Block', 'customRouterId'],
  vpcRouter: [...identity, 'vpcId', 'kind'],
  routerRoute: [...identity, 'vpcRouterId', 'kind', 'destinationJson', 'targetJson'],
  internetGateway: [...identity, 'vpcId'],
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
  affinityGroup: [...identity, 'projectId', 'policy'],
} as const satisfies { [T in TableName]?: readonly (keyof Tables[T])[] }

export type ListedTable = keyof typeof listed
/** A row of a list. */
export type Listed<T extends ListedTable> = Pick<Tables[T], (typeof listed)[T][number] & keyof Tables[T]>

import { op } from '../op.ts'
import { instanceStates } from '../rules/instance.ts'
import { limits } from '../rules/limits.ts'
import { array, boolean, bytes, defaulted, integer, named, nullable, object, optional, text, time, union, words } from '../schema.ts'
import { head, inProject, newHead, ofProject } from '../schemas/identity.ts'
import { byName, page } from '../schemas/page.ts'
import { Ip } from '../schemas/address.ts'
import { ByteCount, Hostname, Name, NameOrId, Uuid } from '../schemas/scalar.ts'
import { Disk, diskCreateFields, DiskPage } from './disks.ts'
import { floatingIpFields, InstanceNetworkInterfaceCreate } from './networks.ts'
import { SshKey } from './session.ts'

const tag = 'instances'

const uint16 = (max = 65_535) => integer({ min: 0, max, format: 'uint16' })
const InstanceCpuCount = named('InstanceCpuCount', uint16())
const AutoRestartPolicy = named('InstanceAutoRestartPolicy', words(['never', 'best_effort']))
const CpuPlatform = named('InstanceCpuPlatform', words(['amd_milan', 'amd_turin']))

export const Instance = named(
  'Instance',
  object({
    ...head,
    projectId: Uuid,
    ncpus: InstanceCpuCount,
    memory: ByteCount,
    hostname: text(),
    runState: named('InstanceState', words(instanceStates)),
    timeRunStateUpdated: time(),
    bootDiskId: optional(nullable(Uuid)),
    autoRestartEnabled: boolean(),
    autoRestartPolicy: optional(nullable(AutoRestartPolicy)),
    autoRestartCooldownExpiration: optional(nullable(time())),
    timeLastAutoRestarted: optional(nullable(time())),
    cpuPlatform: optional(nullable(CpuPlatform)),
    /** Why the last start failed, for people; our own addition. */
    lastError: optional(nullable(text())),
  }),
)

export const InstanceDiskAttachment = named(
  'InstanceDiskAttachment',
  union('type', { create: diskCreateFields, attach: { name: Name } }),
)
const NetworkInterfaceAttachment = named(
  'InstanceNetworkInterfaceAttachment',
  union('type', { create: { params: array(InstanceNetworkInterfaceCreate) }, default: {}, none: {} }),
)
const ExternalIpCreate = named(
  'ExternalIpCreate',
  union('type', { ephemeral: { pool: optional(nullable(NameOrId)) }, floating: { floatingIp: NameOrId } }),
)
export const InstanceCreate = named(
  'InstanceCreate',
  object({
    ...newHead,
    ncpus: InstanceCpuCount,
    memory: ByteCount,
    hostname: Hostname,
    userData: defaulted(bytes(limits.instance.userData), () => new Uint8Array()),
    networkInterfaces: defaulted(NetworkInterfaceAttachment, () => ({ type: 'default' as const })),
    externalIps: defaulted(array(ExternalIpCreate), () => []),
    disks: defaulted(array(InstanceDiskAttachment), () => []),
    bootDisk: defaulted(nullable(InstanceDiskAttachment), () => null),
    sshPublicKeys: optional(nullable(array(NameOrId))),
    start: defaulted(boolean(), () => true),
    autoRestartPolicy: defaulted(nullable(AutoRestartPolicy), () => null),
    antiAffinityGroups: defaulted(array(NameOrId), () => []),
    cpuPlatform: defaulted(nullable(CpuPlatform), () => null),
  }),
)

const path = object({ instance: NameOrId })
const target = { params: path, query: object(inProject), tag } as const
const reader = { ...target, allow: 'project.viewer', method: 'GET', ok: 200 } as const
const action = { ...target, allow: 'project.collaborator', method: 'POST', ok: 202 } as const

export const instanceList = op({
  method: 'GET', path: '/v1/instances', allow: 'project.viewer', ok: 200, tag, summary: 'List instances',
  query: object({ ...byName, ...ofProject }), response: named('InstanceResultsPage', page(Instance)),
})
export const instanceCreate = op({
  method: 'POST', path: '/v1/instances', allow: 'project.collaborator', ok: 201, tag, summary: 'Create an instance',
  query: object(ofProject), body: InstanceCreate, response: Instance,
})
export const instanceView = op({
  ...reader, path: '/v1/instances/{instance}', summary: 'Show an instance', response: Instance,
})
export const instanceUpdate = op({
  ...target, method: 'PUT', path: '/v1/instances/{instance}', allow: 'project.collaborator', ok: 200,
  summary: 'Update an instance', response: Instance,
  body: named(
    'InstanceUpdate',
    object({
      ncpus: InstanceCpuCount,
      memory: ByteCount,
      bootDisk: nullable(NameOrId),
      autoRestartPolicy: nullable(AutoRestartPolicy),
      cpuPlatform: nullable(CpuPlatform),
    }),
  ),
})
export const instanceDelete = op({
  ...target, method: 'DELETE', path: '/v1/instances/{instance}', allow: 'project.collaborator', ok: 204,
  summary: 'Delete an instance',
})
export const instanceStart = op({
  ...action, path: '/v1/instances/{instance}/start', summary: 'Start an instance', response: Instance,
})
export const instanceStop = op({
  ...action, path: '/v1/instances/{instance}/stop', summary: 'Stop an instance', response: Instance,
})
export const instanceReboot = op({
  ...action, path: '/v1/instances/{instance}/reboot', summary: 'Reset an instance', response: Instance,
})

export const instanceDiskList = op({
  ...reader, path: '/v1/instances/{instance}/disks', summary: 'List disks of an instance',
  query: object({ ...byName, ...inProject }), response: DiskPage,
})
const diskRef = named('DiskPath', object({ disk: NameOrId }))
export const instanceDiskAttach = op({
  ...action, path: '/v1/instances/{instance}/disks/attach', summary: 'Attach a disk', body: diskRef, response: Disk,
})
export const instanceDiskDetach = op({
  ...action, path: '/v1/instances/{instance}/disks/detach', summary: 'Detach a disk', body: diskRef, response: Disk,
})
export const instanceSshPublicKeyList = op({
  ...reader, path: '/v1/instances/{instance}/ssh-public-keys', summary: 'List SSH keys given at creation',
  query: object({ ...byName, ...inProject }), response: named('SshKeyResultsPage', page(SshKey)),
})

export const ExternalIp = named(
  'ExternalIp',
  union('kind', {
    snat: { ip: Ip, firstPort: uint16(), lastPort: uint16(), ipPoolId: Uuid },
    ephemeral: { ip: Ip, ipPoolId: Uuid },
    floating: floatingIpFields,
  }),
)
export const instanceExternalIpList = op({
  ...reader, path: '/v1/instances/{instance}/external-ips', summary: 'List external addresses of an instance',
  response: named('ExternalIpResultsPage', page(ExternalIp)),
})
const ephemeralIp = '/v1/instances/{instance}/external-ips/ephemeral'
export const instanceEphemeralIpAttach = op({
  ...action, path: ephemeralIp, summary: 'Give an instance an ephemeral address', response: ExternalIp,
  body: named('EphemeralIpCreate', object({ pool: optional(nullable(NameOrId)) })),
})
export const instanceEphemeralIpDetach = op({
  ...target, method: 'DELETE', path: ephemeralIp, allow: 'project.collaborator', ok: 204,
  summary: 'Take the ephemeral address from an instance',
})

const offset = optional(integer({ min: 0, format: 'uint64' }))
export const instanceSerialConsole = op({
  ...reader, path: '/v1/instances/{instance}/serial-console', summary: 'Read serial console output',
  query: object({ fromStart: offset, mostRecent: offset, maxBytes: offset, ...inProject }),
  response: named(
    'InstanceSerialConsoleData',
    object({ data: array(integer({ min: 0, max: 255, format: 'uint8' })), lastByteOffset: integer({ min: 0, format: 'uint64' }) }),
  ),
})
export const instanceSerialConsoleStream = op({
  ...target, method: 'GET', path: '/v1/instances/{instance}/serial-console/stream', allow: 'project.collaborator',
  ok: 'upgrade', summary: 'Open the serial console (WebSocket, binary frames)',
  query: object({ mostRecent: offset, ...inProject }),
})

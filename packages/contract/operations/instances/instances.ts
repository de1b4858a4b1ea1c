import { op } from '#/op.ts'
import { accelerators, networkModes } from '#/rules/hardware.ts'
import { instanceStates } from '#/rules/states.ts'
import { instanceDiskChoices } from '#/rules/tasks.ts'
import { limits } from '#/rules/limits.ts'
import { array, boolean, bytes, defaulted, enumOf, integer, nullable, object, optional, ref, string, time, union, unlimited } from '#/schema.ts'
import { identity, identityCreate, identityUpdate, inProject, ofProject, kept, keptGiven } from '#/schemas/identity.ts'
import { uint16 } from '#/schemas/integers.ts'
import { byUse, byNameOf, page } from '#/schemas/page.ts'
import { ByteCount, Hostname, Name, NameOrId, Uuid } from '#/schemas/scalar.ts'
import { Disk, diskCreateFields, diskList } from '../storage/disks.ts'
import { ExternalIp } from '../addresses/external-ips.ts'
import { instanceNetworkInterfaceCreate } from '../vpcs/network-interfaces.ts'
import { SshKey } from '../access/ssh-keys.ts'

const tag = 'instances'

export const InstanceCpuCount = ref('InstanceCpuCount', uint16)
const AutoRestartPolicy = ref('InstanceAutoRestartPolicy', enumOf(['never', 'best_effort']))
const CpuPlatform = ref('InstanceCpuPlatform', enumOf(['amd_milan', 'amd_turin']))

export const InstanceState = ref('InstanceState', enumOf(instanceStates))
const instanceFields = {
  ...identity,
  ...kept,
  projectId: Uuid,
  ncpus: InstanceCpuCount,
  memory: ByteCount,
  hostname: string(unlimited),
  runState: InstanceState,
  timeRunStateUpdated: time(),
  bootDiskId: optional(nullable(Uuid)),
  autoRestartEnabled: boolean(),
  autoRestartPolicy: optional(nullable(AutoRestartPolicy)),
  autoRestartCooldownExpiration: optional(nullable(time())),
  timeLastAutoRestarted: optional(nullable(time())),
  cpuPlatform: optional(nullable(CpuPlatform)),
  /** Why the last start failed, in words for people. Not part of the original API. */
  lastError: optional(nullable(string(unlimited))),
  /** Why the state may be out of date. Only in the view of one. Not part of the original API. */
  waitReason: optional(string(unlimited)),
  /** The networks that its host gives it. Only in the view of one. Not part of the original API. */
  networkMode: optional(enumOf(networkModes)),
  /** How its host runs it. Only in the view of one. Not part of the original API. */
  accelerator: optional(enumOf(accelerators)),
  /** In lists that ask for them. Not part of the original API. */
  externalIps: optional(array(ExternalIp, unlimited)),
}
export const Instance = ref('Instance', object(instanceFields))

export const InstanceDiskAttachment = ref(
  'InstanceDiskAttachment',
  union('type', { create: diskCreateFields, attach: { name: Name } }),
)
const most = {
  nics: { count: limits.instance.nics, noun: 'network interfaces', isRule: true },
  externalIps: { count: limits.instance.externalIps, noun: 'external IP addresses', isRule: true },
  disks: { count: limits.instance.disks, noun: 'disks', isRule: true },
  sshKeys: { count: limits.instance.sshKeys, noun: 'SSH keys', isRule: true },
  groups: { count: limits.affinity.groupsPerInstance, noun: 'anti-affinity groups', isRule: true },
} as const
const NetworkInterfaceAttachment = ref(
  'InstanceNetworkInterfaceAttachment',
  union('type', { create: { params: array(instanceNetworkInterfaceCreate.body, most.nics) }, default: {}, none: {} }),
)
const ExternalIpCreate = ref(
  'ExternalIpCreate',
  union('type', { ephemeral: { pool: optional(nullable(NameOrId)) }, floating: { floatingIp: NameOrId } }),
)
export const InstanceCreate = ref(
  'InstanceCreate',
  object({
    ...identityCreate,
    ncpus: InstanceCpuCount,
    memory: ByteCount,
    hostname: Hostname,
    userData: defaulted(bytes(limits.instance.userData), () => new Uint8Array()),
    networkInterfaces: defaulted(NetworkInterfaceAttachment, () => ({ type: 'default' as const })),
    externalIps: defaulted(array(ExternalIpCreate, most.externalIps), () => []),
    disks: defaulted(array(InstanceDiskAttachment, most.disks), () => []),
    bootDisk: defaulted(nullable(InstanceDiskAttachment), () => null),
    sshPublicKeys: optional(nullable(array(NameOrId, most.sshKeys))),
    start: defaulted(boolean(), () => true),
    autoRestartPolicy: defaulted(nullable(AutoRestartPolicy), () => null),
    antiAffinityGroups: defaulted(array(NameOrId, most.groups), () => []),
    cpuPlatform: defaulted(nullable(CpuPlatform), () => null),
    ...keptGiven,
  }),
)

const path = object({ instance: NameOrId })
const target = { params: path, query: object(inProject), tag } as const
const reader = { ...target, allow: 'project.viewer', method: 'GET', ok: 200 } as const
const action = { ...target, allow: 'project.collaborator', method: 'POST', ok: 202 } as const

export const instanceList = op({
  method: 'GET', path: '/v1/instances', allow: 'project.viewer', ok: 200, tag,
  query: object({ ...byNameOf('instance'), ...byUse, ...ofProject, externalIps: optional(boolean()) }), response: ref('InstanceResultsPage', page(Instance)),
})
/** An instance in a list of several projects. */
const InstanceOfProject = ref('InstanceOfProject', object({ ...instanceFields, projectName: Name }))
export const instanceListOfSilo = op({
  method: 'GET', path: '/v1/instances-of-silo', allow: 'silo.member', ok: 200, tag,
  query: object({ ...byNameOf('instance'), externalIps: optional(boolean()) }),
  response: ref('InstanceOfProjectResultsPage', page(InstanceOfProject)),
})
export const instanceCreate = op({
  method: 'POST', path: '/v1/instances', allow: 'project.collaborator', ok: 201, tag,
  query: object(ofProject), body: InstanceCreate, response: Instance,
})
export const instanceView = op({
  ...reader, path: '/v1/instances/{instance}', response: Instance,
})
export const instanceUpdate = op({
  ...target, method: 'PUT', path: '/v1/instances/{instance}', allow: 'project.collaborator', ok: 200,
  response: Instance,
  body: ref(
    'InstanceUpdate',
    object({
      ncpus: InstanceCpuCount,
      memory: ByteCount,
      bootDisk: nullable(NameOrId),
      autoRestartPolicy: nullable(AutoRestartPolicy),
      cpuPlatform: nullable(CpuPlatform),
      // Of our own: the contract's update has neither.
      ...identityUpdate,
      ...keptGiven,
    }),
  ),
})
export const instanceDelete = op({
  ...target, method: 'DELETE', path: '/v1/instances/{instance}', allow: 'project.collaborator', ok: 204,
  query: object({
    ...inProject,
    // Of our own: the contract's delete keeps all disks.
    withDisk: optional(array(NameOrId, most.disks)),
    withDisks: optional(enumOf(instanceDiskChoices)),
  }),
})
export const instanceStart = op({
  ...action, path: '/v1/instances/{instance}/start', response: Instance,
})
export const instanceStop = op({
  ...action, path: '/v1/instances/{instance}/stop', response: Instance,
  query: object({ ...inProject, force: optional(boolean()) }),
})
export const instanceReboot = op({
  ...action, path: '/v1/instances/{instance}/reboot', response: Instance,
})

export const instanceDiskList = op({
  ...reader, path: '/v1/instances/{instance}/disks',
  query: object({ ...byNameOf('disk'), ...inProject }), response: diskList.response,
})
const diskRef = ref('DiskPath', object({ disk: NameOrId }))
export const instanceDiskAttach = op({
  ...action, path: '/v1/instances/{instance}/disks/attach', body: diskRef, response: Disk,
})
export const instanceDiskDetach = op({
  ...action, path: '/v1/instances/{instance}/disks/detach', body: diskRef, response: Disk,
})
export const instanceSshPublicKeyList = op({
  ...reader, path: '/v1/instances/{instance}/ssh-public-keys',
  query: object({ ...byNameOf('sshKey'), ...inProject }), response: ref('SshKeyResultsPage', page(SshKey)),
})

const offset = optional(integer({ min: 0, format: 'uint64' }))
export const instanceSerialConsole = op({
  ...reader, path: '/v1/instances/{instance}/serial-console',
  query: object({ fromStart: offset, mostRecent: offset, maxBytes: offset, ...inProject }),
  response: ref(
    'InstanceSerialConsoleData',
    object({ data: array(integer({ min: 0, max: 255, format: 'uint8' }), unlimited), lastByteOffset: integer({ min: 0, format: 'uint64' }) }),
  ),
})
export const instanceSerialConsoleStream = op({
  ...target, method: 'GET', path: '/v1/instances/{instance}/serial-console/stream', allow: 'project.collaborator',
  ok: 'upgrade',
  query: object({ mostRecent: offset, ...inProject }),
})
/** Of our own: the contract has no screens. Users who may open the serial console control it, and viewers watch. */
export const instanceDisplay = op({
  ...target, method: 'GET', path: '/v1/instances/{instance}/display', allow: 'project.viewer', ok: 'upgrade',
})

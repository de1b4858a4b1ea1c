/** Racks, sleds, disks, switches and their ports. Their rows are what the hardware reports. */
import { op } from '#/op.ts'
import { HostState } from './hosts.ts'
import { accelerators, cpuFamilies, diskHealths, formFactors, linkStates, maintenanceStates, networkModes, provisionPolicies, sledMetrics } from '#/rules/hardware.ts'
import { limits } from '#/rules/limits.ts'
import {
  anyJson, array, boolean, enumOf, integer, nullable, number, object, optional, ref, string, time, union, unlimited,
} from '#/schema.ts'
import { uint16, uint32 } from '#/schemas/integers.ts'
import { byIdOf, found, inOrder, page } from '#/schemas/page.ts'
import { ByteCount, Name, NameOrId, Uuid } from '#/schemas/scalar.ts'
import { plainOps } from '../plain.ts'
import { MeasurementPage, timeRange } from '../metrics/metrics.ts'
import { InstanceState } from '../instances/instances.ts'
import { confirmWithin } from '../networking/edge.ts'

const tag = 'system/hardware'
const text = string(unlimited)
const root = '/v1/system/hardware'
const times = { timeCreated: time(), timeModified: time() }
/** When the hardware last reported it, and since when it has not. */
const seen = { timeReported: optional(nullable(time())), missingSince: optional(nullable(time())) }
const temperature = optional(nullable(number()))
const speed = optional(nullable(integer({ min: 0, format: 'uint64' })))
const linkState = ref('LinkState', enumOf(linkStates))

export const Baseboard = ref('Baseboard', object({ part: text, serial: text, revision: uint32 }))

export const Rack = ref('Rack', object({ id: Uuid, ...times, serial: optional(text), ...seen }))
export const { rackList, rackView } = plainOps('rack', {
  path: `${root}/racks`, verbs: ['List', 'View'], response: Rack, tag,
})

const provisionPolicy = ref('SledProvisionPolicy', enumOf(provisionPolicies))
const SledPolicy = ref('SledPolicy', union('kind', { in_service: { provisionPolicy }, expunged: {} }))
const lifeCycle = enumOf(['active', 'decommissioned'])
/** Of one resource of a sled. */
export const Share = ref('SledShare', object({
  /** what instances may use */
  usable: ByteCount,
  /** what instances have been promised */
  reserved: ByteCount,
  /** what they use; null if the sled cannot say */
  used: nullable(number()),
}))
/** A sled that is being taken out, or is out. */
export const Maintenance = ref('SledMaintenance', object({
  since: time(),
  state: enumOf(maintenanceStates),
  /** instances that are still on it */
  remaining: uint32,
  taskId: nullable(Uuid),
}))
const Host = ref('SledHost', object({
  vendor: text, model: text, cpuModel: text,
  /** of the process that has reported it */
  version: optional(text),
  cpuFamily: enumOf(cpuFamilies),
  accelerator: enumOf(accelerators),
  /** Unknown for a host that has last reported to an older version. */
  networkMode: optional(enumOf(networkModes)),
  tunnelAddress: optional(text),
  external: optional(array(text, unlimited)),
  cubby: nullable(uint16), temperature,
  links: array(object({ name: text, state: linkState, speed }), unlimited),
}))
export const Sled = ref('Sled', object({
  id: Uuid, rackId: Uuid, baseboard: Baseboard, policy: SledPolicy, state: ref('SledState', lifeCycle),
  usableHardwareThreads: uint32, usablePhysicalRam: ByteCount, ...times,
  host: optional(nullable(Host)),
  /** The process that it is part of; null for the server itself. */
  joinedHost: optional(nullable(ref('SledJoinedHost', object({
    id: Uuid, address: text, port: integer(), state: HostState, timeStateChanged: time(),
  })))),
  capacity: optional(object({ threads: Share, memory: Share, storage: Share })),
  maintenance: optional(nullable(Maintenance)),
  /** of the last maintenance, also once it has ended */
  maintenanceTaskId: optional(nullable(Uuid)),
  ...seen,
}))
const sleds = plainOps('sled', {
  path: `${root}/sleds`, verbs: ['List', 'View'], response: Sled, list: found, tag,
})
export const { sledList, sledView } = sleds
const ofSled = { params: object({ sledId: Uuid }), tag } as const

const serial = string({ maxLength: limits.hardware.board })
export const sledAdd = op({
  method: 'POST', path: `${root}/sleds`, allow: 'fleet.admin', ok: 201, tag,
  body: ref('UninitializedSledId', object({ part: serial, serial })),
  response: ref('SledId', object({ id: Uuid })),
})
const UninitializedSled = ref('UninitializedSled', object({ baseboard: Baseboard, rackId: Uuid, cubby: uint16 }))
export const sledListUninitialized = op({
  method: 'GET', path: `${root}/sleds-uninitialized`, allow: 'fleet.viewer', ok: 200, tag,
  query: object(inOrder), response: ref('UninitializedSledResultsPage', page(UninitializedSled)),
})
export const sledSetProvisionPolicy = op({
  ...ofSled, method: 'PUT', path: `${root}/sleds/{sled_id}/provision-policy`, allow: 'fleet.admin', ok: 200,
  body: ref('SledProvisionPolicyParams', object({ state: provisionPolicy })),
  response: ref('SledProvisionPolicyResponse', object({ oldState: provisionPolicy, newState: provisionPolicy })),
})
const SledInstance = ref('SledInstance', object({
  id: Uuid, name: Name, projectName: Name, siloName: Name, state: InstanceState, activeSledId: Uuid,
  migrationId: optional(nullable(Uuid)), ncpus: integer(), memory: integer(), ...times,
}))
export const sledMetric = op({
  method: 'GET', path: `${root}/sleds/{sled_id}/metrics/{metric_name}`, allow: 'fleet.viewer', ok: 200, tag,
  params: object({ sledId: Uuid, metricName: ref('SledMetricName', enumOf(sledMetrics)) }),
  query: object(timeRange), response: MeasurementPage,
})
export const sledMaintenanceStart = op({
  ...ofSled, method: 'POST', path: `${root}/sleds/{sled_id}/maintenance`, allow: 'fleet.admin', ok: 201,
  body: ref('SledMaintenanceStart', object({ stopUnmovable: optional(boolean()) })), response: Maintenance,
})
export const sledMaintenanceEnd = op({
  ...ofSled, method: 'DELETE', path: `${root}/sleds/{sled_id}/maintenance`, allow: 'fleet.admin', ok: 204,
})
export const sledMaintenancePlan = op({
  ...ofSled, method: 'GET', path: `${root}/sleds/{sled_id}/maintenance/plan`, allow: 'fleet.viewer', ok: 200,
  query: object(inOrder),
  response: ref('SledMaintenancePlanResultsPage', page(ref('SledMaintenancePlanItem', object({
    id: Uuid, name: Name, projectName: Name, siloName: Name, state: InstanceState, ncpus: integer(), memory: ByteCount,
    /** the sled that would take it; null if it cannot be moved */
    to: nullable(Uuid), reason: nullable(text),
  })))),
})
export const sledExpunge = op({
  ...ofSled, method: 'POST', path: `${root}/sleds/{sled_id}/expunge`, allow: 'fleet.admin', ok: 202, response: Sled,
})
export const instanceMove = op({
  method: 'POST', path: '/v1/system/instances/{instance}/move', allow: 'fleet.admin', ok: 202, tag,
  params: object({ instance: Uuid }), query: object({ orStop: optional(boolean()) }), response: SledInstance,
})

export const sledInstanceList = op({
  ...ofSled, method: 'GET', path: `${root}/sleds/{sled_id}/instances`, allow: 'fleet.viewer', ok: 200,
  query: object(byIdOf('instance')), response: ref('SledInstanceResultsPage', page(SledInstance)),
})

export const PhysicalDisk = ref('PhysicalDisk', object({
  id: Uuid, sledId: optional(nullable(Uuid)), vendor: text, model: text, serial: text,
  formFactor: ref('PhysicalDiskKind', enumOf(formFactors)),
  policy: ref('PhysicalDiskPolicy', union('kind', { in_service: {}, expunged: {} })),
  state: ref('PhysicalDiskState', lifeCycle), ...times,
  size: optional(nullable(ByteCount)),
  health: optional(enumOf(diskHealths)), healthReason: optional(nullable(text)),
  /** percent of the writes that it is rated for */
  wear: optional(nullable(number())),
  temperature, ...seen,
}))
export const { physicalDiskList, physicalDiskView } = plainOps('physicalDisk', {
  path: `${root}/disks`, verbs: ['List', 'View'], response: PhysicalDisk, list: found, tag,
})
export const physicalDiskExpunge = op({
  ...physicalDiskView, method: 'POST', path: `${root}/disks/{disk_id}/expunge`, allow: 'fleet.admin', ok: 202,
})
export const sledPhysicalDiskList = op({
  ...physicalDiskList, ...ofSled, path: `${root}/sleds/{sled_id}/disks`,
})

export const Switch = ref('Switch', object({
  id: Uuid, rackId: Uuid, baseboard: Baseboard, ...times,
  location: optional(text), vendor: optional(text), model: optional(text), temperature, ...seen,
  /** whether it has its settings */
  push: optional(object({
    timePushed: nullable(time()), failure: nullable(text), failingSince: nullable(time()),
  })),
}))
export const { switchList, switchView } = plainOps('switch', {
  path: `${root}/switches`, verbs: ['List', 'View'], response: Switch, list: found, tag,
})

const SwitchPort = ref('SwitchPort', object({
  id: Uuid, rackId: Uuid, switchLocation: text, portName: Name, portSettingsId: optional(nullable(Uuid)),
  switchId: optional(nullable(Uuid)), link: optional(object({ state: linkState, speed, since: nullable(time()) })),
  /** the module in it and what that measures */
  monitors: optional(nullable(object({
    vendor: text, part: text, serial: text, temperature, voltage: temperature,
    received: array(number(), unlimited), transmitted: array(number(), unlimited),
  }))), ...seen,
}))
export const networkingSwitchPortList = op({
  method: 'GET', path: `${root}/switch-port`, allow: 'fleet.viewer', ok: 200, tag,
  query: object({ ...byIdOf(''), switchPortId: optional(Uuid) }),
  response: ref('SwitchPortResultsPage', page(SwitchPort)),
})
/** A port is named by its rack, its switch and its name there. */
export const placeOfPort = { rackId: Uuid, switchLocation: string({ maxLength: limits.hardware.location }) } as const
export const portOf = { params: object({ port: Name }), query: object(placeOfPort), tag } as const
const changeOfPort = { ...portOf, query: object({ ...placeOfPort, confirmWithin }) } as const
export const networkingSwitchPortStatus = op({
  ...portOf, method: 'GET', path: `${root}/switch-port/{port}/status`, allow: 'fleet.viewer', ok: 200,
  response: ref('SwitchLinkState', anyJson()),
})
export const networkingSwitchPortApplySettings = op({
  ...changeOfPort, method: 'POST', path: `${root}/switch-port/{port}/settings`, allow: 'fleet.admin', ok: 204,
  body: ref('SwitchPortApplySettings', object({ portSettings: NameOrId })),
})
export const networkingSwitchPortClearSettings = op({
  ...changeOfPort, method: 'DELETE', path: `${root}/switch-port/{port}/settings`, allow: 'fleet.admin', ok: 204,
})

/** Fields of racks, sleds, disks and switches. */
import { expiryDays } from '#/rules/credentials/certificates.ts'
import { limits } from '#/rules/limits.ts'
import { soonDays } from '#/rules/quotas.ts'
import type { FieldSentences } from '../field-sentences.ts'

const most = limits.overview.failures

const seen = {
  timeReported: 'When it was last reported, RFC 3339 in UTC; null if never by this version.',
  missingSince: 'Since when it has not been reported, RFC 3339 in UTC; null while it is there.',
}
const temperature = 'Degrees Celsius; null if it is not measured.'
const vendor = 'The maker.'
const model = 'The name of the model.'
const serial = 'The serial number.'
const part = 'The part number.'
const policy = 'Whether it is in service, or out of service for good.'
const state = 'Whether it is used, or decommissioned after it was taken out of service.'
const link = {
  state: 'Whether there is a link.',
  speed: 'Bits per second; null while there is no link.',
  since: 'When the state changed last, RFC 3339 in UTC; null if there was never a link.',
}
const port = {
  rackId: 'The id of the rack that the switch is in.',
  switchLocation: 'The place of the switch: `switch0` or `switch1`.',
  port: 'The name of the port, such as `qsfp0`.',
}
const confirmWithin =
  'If given, the settings of before count again after this many seconds unless the new ones are confirmed.'
const joinCode = {
  timeExpires: 'When it expires, RFC 3339 in UTC.',
  createdBy: 'The name of the user who created it.',
}
const trend = 'How fast it is taken.'
const share = 'What there is, what is reserved for instances, and what is used.'

const joinedHost = {
  address: 'The host name or IP address at which servers reach it.',
  port: 'The port at which servers reach it.',
  state: 'Whether it answers.',
  timeStateChanged: 'Since when it has this state, RFC 3339 in UTC.',
}
export const hardware: FieldSentences = {
  Baseboard: { part, serial, revision: 'The revision of the part.' },
  Rack: { serial, ...seen },
  Sled: {
    baseboard: 'The board that identifies the host.',
    policy,
    state,
    usableHardwareThreads: 'The hardware threads that instances may use.',
    usablePhysicalRam: 'The memory of the host in bytes.',
    host: 'What the host has reported about itself; null if nothing yet.',
    joinedHost:
      'The host process that it is part of; null if that is the server itself, absent if the host was forgotten.',
    capacity: 'What instances can use of the sled.',
    maintenance: 'Its maintenance; null without any.',
    maintenanceTaskId: 'The id of the task that emptied it last; null without any.',
    ...seen,
  },
  SledPolicy: {
    kind: policy,
    provisionPolicy: 'Whether new instances can be placed on it.',
  },
  'Sled.capacity': { threads: share, memory: share, storage: share },
  SledMaintenance: {
    since: 'When it began, RFC 3339 in UTC.',
    state: 'Whether the sled is being emptied, that has ended with some instances left, or it is empty.',
    remaining: 'The number of instances on it.',
    taskId: 'The id of the task that empties it; null before it exists.',
  },
  SledMaintenanceStart: {
    stopUnmovable: 'If true, instances that cannot be moved are stopped.',
  },
  SledMaintenancePlanItem: {
    state: 'Its state.',
    ncpus: 'The number of vCPUs.',
    to: 'The id of the sled that would take it; null if none can.',
    reason: 'Why it cannot be moved, in words; null if it can.',
  },
  sledMetric: {
    metricName: 'The resource: hardware threads, or bytes of memory or storage.',
    order: 'The order of the samples by time; ascending unless given.',
  },
  instanceMove: { orStop: 'If true, it is stopped if it cannot be moved.' },
  SledShare: {
    usable: 'What instances can use: hardware threads, or bytes.',
    reserved: 'What is reserved for the instances on it.',
    used: 'What they use now; null if the host cannot say.',
  },
  SledHost: {
    vendor,
    model,
    cpuModel: 'The model of its processors.',
    version: 'The version of the host process; absent for the one inside of the server.',
    cpuFamily: 'The CPU platform of its guests; `other` if it offers only what it has.',
    accelerator: 'How it runs machines: with hardware support, emulated, or simulated.',
    networkMode:
      'The networks of its guests: `enforced` with the rules, routes and addresses of their VPCs, `outbound` with a way out only, `none`, or `simulated`.',
    tunnelAddress:
      'The IP address at which it takes packets of VPCs from other hosts; absent if its VPCs end at the host.',
    external: 'The blocks of external addresses that it leads to guests; absent if it cannot say.',
    cubby: 'Its place in the rack, 0 at the bottom; null if not known.',
    temperature,
    links: 'Its network interfaces.',
  },
  'SledHost.links': { name: 'The name of the interface.', state: link.state, speed: link.speed },
  SledJoinedHost: joinedHost,
  Host: {
    ...joinedHost,
    fingerprint: 'The SHA-256 of its certificate, in hex.',
    version: 'The version of its program; absent until one of its sleds was added.',
    sledIds: 'The ids of its sleds that are in service.',
  },
  HostJoinCode: joinCode,
  HostJoinCodeValue: { ...joinCode, code: 'The code, which is not shown again.' },
  HostJoinCodeCreate: {
    minutes: 'The minutes after which it expires; an hour unless given.',
  },
  HostJoin: {
    codeId: 'The id of the code.',
    address: 'The host name or IP address at which servers reach the host.',
    port: 'The port at which servers reach the host.',
    publicKey: 'The public key of the host: SPKI in PEM, of the curve P-256.',
    proof: 'The HMAC-SHA256 of the other fields, in hex. The key is the SHA-256 of the secret in the code.',
  },
  HostJoined: {
    id: 'The id of the host.',
    fleetId: 'The id of the fleet, which its folder of disks has as well.',
    certificate: 'The certificate of the host, in PEM.',
    authority: 'The certificate of the authority of the fleet, in PEM.',
  },
  Capacity: {
    threads: share,
    memory: share,
    storage: share,
    racks: 'The same for each rack.',
    estimate: 'An estimate from the number and the size of the sleds: 70 % of their resources.',
    fits: 'How many more instances of each offered size could start, if only that size were started.',
    trends: 'How fast each resource is taken, from the last 30 days.',
  },
  'Capacity.estimate': { threads: 'Hardware threads.', memory: 'Bytes.', storage: 'Bytes.' },
  'Capacity.trends': { threads: trend, memory: trend, storage: trend },
  RackCapacity: { serial, threads: share, memory: share, storage: share },
  SizeThatFits: {
    name: 'The name of the size.',
    ncpus: 'The number of vCPUs.',
    memory: 'Bytes.',
    count: 'The number of instances.',
  },
  CapacityTrend: {
    perDay:
      'What is reserved in addition each day: hardware threads, vCPUs or bytes, negative if it becomes less; null without a history.',
    daysUntilFull: 'Days until everything is reserved; null if that is not in sight.',
  },
  Attention: {
    id: 'The id, which is the same as long as the condition holds.',
    kind: 'The kind of condition.',
    severity: 'How urgent it is.',
    subject: 'The resource that it is about.',
    since: 'Since when it holds, RFC 3339 in UTC.',
    text: 'The condition, in words for people.',
    advice: 'What to do about it, in words for people.',
  },
  'Attention.subject': {
    type: 'The type of the resource.',
    id: 'The id of the resource.',
    name: 'Its name or serial number.',
    within:
      'More about it: the id of the switch of a port, the resource of a quota, the silo of a certificate; null for others.',
  },
  SystemOverview: {
    failedDeliveries: `The last deliveries of receivers whose last delivery failed, at most ${most}, the newest first.`,
    expiringCertificates: `Certificates that are in use and expire within ${expiryDays[0]} days, at most ${most}, the first to expire first.`,
    scarcePools: `IP pools that are nearly used up, or will be in ${soonDays} days at their trend, at most ${most}, the first to be used up first.`,
    maintenance: `Sleds in maintenance, at most ${most}, the longest first.`,
  },
  FailedDelivery: {
    receiverName: 'The name of the receiver.',
    delivery: 'Its last delivery that has ended.',
  },
  ScarcePool: {
    severity: 'How urgent it is; null while enough addresses are left, but not for long.',
    used: 'The number of assigned addresses.',
    capacity: 'The number of addresses of the pool.',
    perDay:
      'The addresses that are assigned in addition each day, by the last 30 days; negative if they become fewer, null without a history.',
    daysUntilFull: 'Days until no address is left; null if that is not in sight.',
  },
  ExpiringCertificate: {
    siloName: 'The name of the silo that is served with it.',
    notAfter: 'When it expires, RFC 3339 in UTC.',
  },
  SledInMaintenance: {
    sledId: 'The id of the sled.',
    serial: 'The serial number of the sled.',
    maintenance: 'How far it is.',
  },
  UninitializedSledId: { part, serial },
  SledId: { id: 'The id of the sled.' },
  UninitializedSled: {
    baseboard: 'The board that identifies the host.',
    cubby: 'Its place in the rack, 0 at the bottom.',
  },
  SledProvisionPolicyParams: { state: 'Whether new instances can be placed on it.' },
  SledProvisionPolicyResponse: { oldState: 'The policy of before.', newState: 'The policy from now on.' },
  SledInstance: {
    state: 'Its state.',
    activeSledId: 'The id of the sled that it runs on.',
    migrationId: 'The id of its migration to another sled; null without one.',
    ncpus: 'The number of vCPUs.',
  },
  PhysicalDiskPolicy: { kind: policy },
  PhysicalDisk: {
    vendor,
    model,
    serial,
    formFactor: 'The form factor: M.2 or U.2.',
    policy,
    state,
    size: 'Bytes.',
    health: 'Whether it is healthy, by its own report.',
    healthReason: 'Why it is not, in words; null while it is.',
    wear: 'Percent of the writes that it is rated for; null if it is not measured.',
    temperature,
    ...seen,
  },
  Switch: {
    baseboard: 'The board that identifies the switch.',
    location: 'Its place: `switch0` or `switch1`.',
    vendor,
    model,
    temperature,
    push: 'Whether it has the settings that operators have made.',
    ...seen,
  },
  'Switch.push': {
    timePushed: 'When it took settings last; null if it never has.',
    failure: 'Why it does not have the present settings; null if it has. The push is repeated.',
    failingSince: 'Since when the push has failed; null if it has not.',
  },
  SwitchPort: {
    switchLocation: port.switchLocation,
    portName: port.port,
    portSettingsId: 'The id of the settings that are applied to it; null without any.',
    link: 'The state of its link.',
    monitors: 'The module in the port and what it measures; null without one.',
    ...seen,
  },
  'SwitchPort.link': link,
  networkingSwitchPortList: { switchPortId: 'The id of a port, to list only that one.' },
  networkingSwitchPortStatus: port,
  networkingSwitchPortApplySettings: { ...port, confirmWithin },
  networkingSwitchPortClearSettings: { ...port, confirmWithin },
  networkingSwitchPortLldpConfigView: port,
  networkingSwitchPortLldpConfigUpdate: port,
  SwitchPortApplySettings: { portSettings: 'The name or id of the settings.' },
  'SwitchPort.monitors': {
    vendor,
    part,
    serial,
    temperature,
    voltage: 'Volts; null if it is not measured.',
    received: 'Received light in milliwatts, for each lane.',
    transmitted: 'Transmitted light in milliwatts, for each lane.',
  },
}

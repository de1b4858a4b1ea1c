/** Fields of instances, disks, images, snapshots and placement groups. */
import { importLimits } from '#/rules/images/imports.ts'
import { formatBytes, limits } from '#/rules/limits.ts'
import { wholeNameMaxLength } from '#/rules/snapshot-names.ts'
import type { FieldSentences } from '../field-sentences.ts'
import { unlessKnown } from './shared.ts'

const { instance, disk, bulkWrite } = limits
const details = 'If true, each instance comes with its external addresses.'
const snapshotName = 'The name of a snapshot to take of the finished disk; none unless given.'
const blockSize = 'The size of a block in bytes.'
const ofProject = 'The name or id of the project; absent for images of the silo.'
const schedule = {
  everyHours: `The hours from one snapshot to the next, at most ${limits.snapshotSchedule.hours}.`,
  timeFirstRun: 'The time from which runs are counted, RFC 3339 in UTC.',
  timeZone:
    'The time zone whose clock the runs keep to, by its name in the IANA database, such as Europe/Berlin. Intervals longer than an hour are counted on that clock, so that they keep their time of day in summer. Absent or null keeps the present one; for a new schedule it is UTC.',
  keep: `The number of its ready snapshots that are kept, at most ${limits.snapshotSchedule.keep}. Older ones are deleted after each run; snapshots made otherwise are never deleted.`,
  paused: 'True while nothing is made.',
}
const image = {
  os: 'The operating system of the image, such as `debian`.',
  version: 'The version of the operating system.',
  size: 'The size in bytes.',
  blockSize,
  digest: 'The digest of its content, absent or null if it is not known.',
  projectId: 'The id of the project; absent or null for an image of the silo.',
  timeLastUsed: `When a disk was last made from it, ${unlessKnown}.`,
  totalDisks: `The number of disks that were made from it and exist, up to ${limits.lists.disksOfImage}, if the request asked for it. Of an image of a project those of the project, of one of the silo those of the projects that you may see.`,
}
const ofImport = { os: image.os, version: image.version, blockSize }
const sizes = {
  ncpus: `The number of vCPUs, from ${instance.minCpus} to ${instance.maxCpus}.`,
  memory: `Memory in bytes, a multiple of 1 GiB up to ${formatBytes(instance.maxMemory)}.`,
}
const sizesKept = {
  ncpus: `${sizes.ncpus} Absent or null keeps the present one.`,
  memory: `${sizes.memory} Absent or null keeps the present one.`,
}
const instanceFields = {
  ncpus: 'The number of vCPUs.',
  hostname: 'The host name that the guest gets.',
  runState: 'What the instance is doing.',
  timeRunStateUpdated: 'When the run state last changed, RFC 3339 in UTC.',
  bootDiskId: 'The id of the disk that it boots from; absent or null if it has none.',
  autoRestartEnabled: 'True if it is restarted after it has failed.',
  autoRestartPolicy: 'Whether it is restarted after it has failed; absent or null if the default applies.',
  autoRestartCooldownExpiration: 'The earliest time of its next automatic restart, RFC 3339 in UTC.',
  timeLastAutoRestarted: 'When it was last restarted automatically, RFC 3339 in UTC.',
  cpuPlatform: 'The CPUs that it needs; absent or null if any will do.',
  lastError: 'Why the last start failed, in words for people.',
  waitReason:
    'Why the run state may be out of date and requests wait, in words for people. Only if that is so, and only when one instance is viewed.',
  networkMode:
    'The networks of its host: `enforced` with the rules, routes and addresses of its VPC, `outbound` with a way out only, `none`, or `simulated`. Only while it has a host, and only when one instance is viewed.',
  accelerator:
    'How its host runs it: with hardware support, emulated, which is slow, or simulated. Only while it has a host, and only when one instance is viewed.',
  externalIps: 'Its external addresses, in lists that ask for them.',
}
const placement = {
  policy: 'Whether an instance starts if the rule of the group cannot be kept: `allow` or `fail`.',
  failureDomain: 'The unit that the rule is about: a sled.',
}
const member = { type: 'The kind of member.', value: 'The member.' }
const memberValue = { runState: 'What the instance is doing.' }
const offset = 'The offset of the data in the disk in bytes, a multiple of its block size.'
const offsets = {
  fromStart: 'The offset of the first byte, counted from the first output of the instance.',
  mostRecent: 'The number of latest bytes to read.',
  maxBytes: 'The most bytes of the answer.',
}

export const instances: FieldSentences = {
  MachineSize: sizes,
  SiloMachineSizeCreate: sizes,
  MachineSizeUpdate: sizesKept,
  SiloMachineSizeUpdate: sizesKept,
  Instance: instanceFields,
  InstanceOfProject: instanceFields,
  instanceList: {
    externalIps: details,
    unused: `If true, only instances that have been stopped for ${limits.unused.stoppedDays} days or more.`,
  },
  diskList: { unused: 'If true, only disks that are attached to no instance.' },
  snapshotList: {
    unused: 'If true, only snapshots whose disk was deleted.',
    disk: 'Only snapshots of this disk: its name or id. By id, also after it was deleted.',
  },
  instanceListOfSilo: { externalIps: details },
  instanceDelete: {
    withDisk:
      'The name or id of an attached disk to delete with the instance; repeat it for several. All other disks are detached.',
    withDisks:
      'Further disks to delete: `boot` is the boot disk if it was created with the instance, `all` is every attached disk.',
  },
  instanceStop: {
    force:
      'Power the machine off without a shutdown, also while its guest shuts down. What the guest has not written to its disks is lost.',
  },
  InstanceCreate: {
    ...sizes,
    userData: `Data for the initialization of the guest, at most ${formatBytes(instance.userData)}; none unless given.`,
    networkInterfaces: 'The network interfaces; one in the default subnet of the default VPC unless given.',
    externalIps: `External addresses, at most ${instance.externalIps}; none unless given.`,
    disks: `Disks to create or attach, with the boot disk at most ${instance.disks}; none unless given.`,
    bootDisk: 'The disk to boot from, created or attached; the first of the others unless given.',
    sshPublicKeys: 'Names or ids of own SSH keys for the guest; all of them if absent or null.',
    start: 'Whether it starts at once; true unless given.',
    autoRestartPolicy: 'Whether it is restarted after it has failed; the default policy unless given.',
    antiAffinityGroups: `Names or ids of anti-affinity groups to join, at most ${limits.affinity.groupsPerInstance}.`,
    cpuPlatform: 'The CPUs that it needs; any unless given.',
  },
  InstanceUpdate: {
    ...sizes,
    bootDisk: 'The name or id of an attached disk to boot from; null for none.',
    autoRestartPolicy: 'Whether it is restarted after it has failed; null for the default policy.',
    cpuPlatform: 'The CPUs that it needs; null for any.',
  },
  InstanceDiskAttachment: {
    type: 'Whether the disk is created or exists and is attached.',
    name: 'The name of the new disk, or of the disk to attach.',
    size: `The size in bytes, a multiple of ${formatBytes(disk.minSize)}.`,
    diskSource: 'The content of the new disk.',
  },
  InstanceNetworkInterfaceAttachment: {
    type: 'Whether interfaces are created as described, one in the default subnet, or none.',
    params: `The interfaces, at most ${instance.nics}; the first is the primary one.`,
  },
  ExternalIpCreate: {
    type: 'The kind of address.',
    pool: 'The name or id of the IP pool; the default pool of the silo unless given.',
    floatingIp: 'The name or id of the floating IP.',
  },
  DiskPath: { disk: 'The name or id of the disk.' },
  instanceSerialConsole: offsets,
  instanceSerialConsoleStream: {
    mostRecent: 'The number of latest bytes to send first; everything kept unless given.',
  },
  InstanceSerialConsoleData: {
    data: 'The bytes of the output.',
    lastByteOffset: 'The offset behind the last byte of the answer, counted from the first output.',
  },
  Disk: {
    size: `The size in bytes, a multiple of ${formatBytes(disk.minSize)} up to ${formatBytes(disk.maxSize)}.`,
    blockSize,
    snapshotId: 'The id of the snapshot that it was made from; absent or null if there is none.',
    imageId: 'The id of the image that it was made from; absent or null if there is none.',
    devicePath: 'The path of the device in a guest.',
    state: 'The state of the disk.',
    timeLastUsed: `When it was last detached from an instance, ${unlessKnown}.`,
  },
  DiskUpdate: { size: 'The new size in bytes, not less than the present one; absent or null keeps it.' },
  DiskRollBack: {
    snapshot: 'The name or id of a snapshot of this disk.',
    snapshotBefore: 'The name of a snapshot of the present content, taken before; none if absent or null.',
  },
  DiskCreate: { diskSource: 'The content of the new disk.' },
  DiskState: {
    state: 'The state.',
    instance: 'The id of the instance that it is attached to.',
  },
  DiskSource: {
    type: 'An empty disk, a copy of a snapshot or image, or an import from outside.',
    blockSize,
    snapshotId: 'The id of the snapshot.',
    imageId: 'The id of the image.',
  },
  diskBlocksWrite: { offset },
  ImportBlocksBulkWrite: {
    offset,
    base64EncodedData: `The data in base64 (RFC 4648): whole blocks, at most ${formatBytes(bulkWrite.chunk)} decoded.`,
  },
  FinalizeDisk: { snapshotName },
  Image: image,
  imageList: {
    project: ofProject,
    unused: 'If true, only images that no existing disk was made from.',
    totalDisks: `If true, each image comes with the number of disks that were made from it, and a page has at most ${limits.page.withDetails} images.`,
  },
  imageView: { project: ofProject, totalDisks: 'If true, with the number of disks that were made from it.' },
  imageCreate: { project: ofProject },
  imageDelete: { project: ofProject },
  ImageCreate: { source: 'What the image is made from.' },
  ImageSource: { type: 'The kind of source: a snapshot.', id: 'The id of the snapshot.' },
  ImageImport: {
    protected: 'True if the image will be protected from deletion; otherwise absent.',
    tags: 'The tags that the image will have, key to value; absent if there are none.',
    ...ofImport,
    sha256: 'The SHA-256 that the file must have, in hex; null if any will do.',
    source: 'Where the file comes from.',
    state: 'Whether its bytes arrive, it is unpacked and stored, or it has failed.',
    format: 'The form of the file; null until it is known.',
    received: 'The bytes of the file that are stored; the next part of an upload begins there.',
    size: 'The bytes of the whole file; null if its server does not say.',
    problem: 'Why it has failed or waits for another attempt, in words for people; null if neither.',
  },
  ImageImportSource: {
    type: 'An address that the server fetches it from, or an upload.',
    url: 'The address, without its query.',
  },
  ImageImportCreate: {
    protected: 'True to protect the image from deletion.',
    tags: 'The tags of the image, key to value.',
    ...ofImport,
    sha256: 'The SHA-256 that the file must have, in hex; not checked unless given.',
    source: 'Where the file comes from.',
  },
  ImageImportCreateSource: {
    type: 'An address that the server fetches it from, or an upload in parts.',
    url: `The address, with http or https, of at most ${importLimits.url} characters.`,
    size: `The bytes of the file, at most ${formatBytes(importLimits.file)}.`,
  },
  imageImportAppend: { offset: 'Where the part begins in the file: the `received` of the import.' },
  Digest: { type: 'The hash function.', value: 'The digest in hex.' },
  Snapshot: {
    state: 'The state of the snapshot.',
    size: 'The size of the disk at that time in bytes.',
    timeLastUsed: `When a disk or an image was last made from it, or its disk rolled back to it, ${unlessKnown}.`,
    scheduleId: 'The id of the schedule that has made it; absent if a user has.',
    instanceSnapshotId: 'The id of the instance snapshot that it is a part of; absent for a single one.',
  },
  InstanceSnapshot: {
    instanceId: 'The id of the instance.',
    scheduleId: 'The id of the schedule that has made it; absent if a user has.',
    state: 'The state of its snapshots: `ready` if all of them are.',
    size: 'The size of all its disks at that time in bytes.',
    disks: 'The snapshots of the disks.',
  },
  InstanceSnapshotDisk: {
    diskId: 'The id of the disk, which may be gone.',
    snapshotId: 'The id of its snapshot.',
    snapshotName: 'The name of its snapshot.',
    state: 'The state of its snapshot.',
    size: 'The size of the disk at that time in bytes.',
  },
  InstanceSnapshotCreate: {
    name: `The name, of at most ${wholeNameMaxLength} characters, unique among those of the instance. Each snapshot of a disk has it before the name of the disk.`,
    tags: 'The tags of the snapshots of the disks, key to value.',
  },
  InstanceSnapshotRollBack: {
    snapshotBefore:
      'The name of a snapshot of the instance as it is now, taken before; none if absent or null.',
  },
  SnapshotSchedule: {
    ...schedule,
    timeZone: 'The time zone whose clock the runs keep to, by its name in the IANA database.',
    userId: 'The id of the user in whose name it runs: the one who has set it last.',
    timeNextRun:
      'When it is due, RFC 3339 in UTC; null while it is paused. Missed runs are made up for once.',
    timeLastRun: 'When it last made a snapshot, RFC 3339 in UTC; null if it has made none.',
    lastError: 'Why the last run has failed, in words for people; null if it has succeeded.',
  },
  SnapshotScheduleUpdate: {
    ...schedule,
    timeFirstRun: `The time of a run, RFC 3339 in UTC: others are due at multiples of the interval from it, and none before it. At most ${limits.snapshotSchedule.daysAhead} days ahead. Absent or null keeps the present one; for a new schedule it is the present time.`,
    paused: 'If true, nothing is made until it continues; false unless given.',
  },
  DiskSnapshotSchedule: { schedule: 'The schedule; absent or null if the disk has none.' },
  SnapshotCreate: { disk: 'The name or id of the disk.' },
  AffinityGroup: placement,
  AntiAffinityGroup: placement,
  AffinityGroupMember: member,
  AntiAffinityGroupMember: member,
  'AffinityGroupMember.value': memberValue,
  'AntiAffinityGroupMember.value': memberValue,
}

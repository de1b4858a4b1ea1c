import { byProtection, byTime, bytes, kind, protection, recordedSize, type Actions } from '../kind.ts'

const states = [
  'creating',
  'starting',
  'running',
  'stopping',
  'stopped',
  'rebooting',
  'migrating',
  'repairing',
  'failed',
  'destroyed',
] as const
export type InstanceState = (typeof states)[number]

const actions = {
  start: { offered: ['stopped', 'failed'], unchanged: ['starting', 'running', 'rebooting', 'migrating'] },
  stop: {
    offered: ['running', 'starting', 'rebooting', 'failed'],
    accepted: ['migrating', 'repairing'],
    unchanged: ['stopping', 'stopped'],
  },
  /** Without a shutdown. */
  forceStop: {
    offered: ['stopping'],
    accepted: ['running', 'starting', 'rebooting', 'migrating', 'repairing', 'failed'],
    unchanged: ['stopped'],
  },
  // An instance that boots already is left to it.
  reboot: { offered: ['running'], accepted: ['migrating'], unchanged: ['starting', 'rebooting'] },
  /** To another sled. */
  move: { offered: ['running'], unchanged: ['migrating', 'stopping', 'stopped', 'failed'] },
  delete: { offered: ['stopped', 'failed'] },
  resize: { offered: ['stopped', 'failed', 'creating'] },
  updateBootDisk: { offered: ['stopped', 'failed', 'creating'] },
  attachDisk: { offered: ['creating', 'stopped'] },
  detachDisk: { offered: ['creating', 'stopped', 'failed'] },
  /** Giving them other content. */
  rewriteDisks: { offered: ['stopped', 'failed'] },
  /** Also adding one. */
  updateNic: { offered: ['stopped'] },
  removeNic: { offered: ['stopped', 'failed'] },
  changeExternalIps: { offered: ['stopped', 'running', 'rebooting'] },
  serialConsole: { offered: ['running', 'rebooting', 'migrating', 'repairing'] },
  addToAffinityGroup: { offered: ['stopped'], accepted: ['creating', 'failed'] },
} as const satisfies Actions<InstanceState>
export type InstanceAction = keyof typeof actions

export const instance = kind({
  noun: 'instance',
  type: 'instance',
  field: 'instance',
  parent: 'project',
  counts: { project: 10_000, silo: 50_000 },
  filters: { state: { field: 'runState', values: states }, ...byProtection },
  isTagged: true,
  orders: {
    ...byTime,
    state: { field: 'runState' },
    cpus: { field: 'ncpus', isNumber: true, unit: 'vCPUs' },
    memory: bytes('memory'),
  },
  recorded: {
    ...recordedSize,
    boot_disk: { field: 'bootDiskId', refersTo: 'disk' },
    auto_restart_policy: { field: 'autoRestartPolicy' },
  },
  search: { list: 'instanceList', rank: 2 },
  isReferred: true,
  states,
  transitional: ['creating', 'starting', 'rebooting', 'migrating', 'stopping'],
  actions,
  tasks: {
    change_tags: 'instanceTagsChange',
    ...protection('instanceProtectionUpdate'),
    start: 'instanceStart',
    stop: 'instanceStop',
    /** Without a shutdown. */
    force_stop: 'instanceStop',
    reboot: 'instanceReboot',
    delete: 'instanceDelete',
    /** With its boot disk if that was created with it, or with all of its disks. */
    delete_with_boot_disk: 'instanceDelete',
    delete_with_disks: 'instanceDelete',
    /** To another sled: of operators. With `move_or_stop`, what cannot be moved is stopped. */
    move: 'instanceMove',
    move_or_stop: 'instanceMove',
    /** Of its disks: a task for instances is made for the disks that are attached to them. */
    snapshot: 'snapshotCreate',
    /** One of each instance, with all of its disks at one moment. */
    snapshot_together: 'instanceSnapshotCreate',
    add_to_group: 'antiAffinityGroupMemberInstanceAdd',
    add_to_affinity_group: 'affinityGroupMemberInstanceAdd',
  },
})

/**
 * States of instances, disks and snapshots, and the actions that each state allows. The console offers actions by
 * these tables and the server answers by them.
 */

/** An action by state. In states that are not listed the server refuses it. */
interface Action<State extends string> {
  /** States in which the console offers the action. */
  offered: readonly State[]
  /** Further states in which the server carries it out. */
  accepted?: readonly State[]
  /** States in which the server accepts it and changes nothing. */
  unchanged?: readonly State[]
}
type Actions<State extends string> = Record<string, Action<State>>

/** What the server does with a request: carries it out, accepts it without a change, or refuses it. */
export type Answer = 'act' | 'unchanged' | 'refuse'

function answer<State extends string>(action: Action<State>, state: State): Answer {
  if (action.offered.includes(state) || action.accepted?.includes(state)) return 'act'
  return action.unchanged?.includes(state) ? 'unchanged' : 'refuse'
}
const offers = <State extends string>({ offered }: Action<State>, state: State): boolean =>
  offered.includes(state)

export const instanceStates = [
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
export type InstanceState = (typeof instanceStates)[number]

export const instanceActionStates = {
  start: { offered: ['stopped', 'failed'], unchanged: ['starting', 'running', 'rebooting', 'migrating'] },
  stop: {
    offered: ['running', 'starting', 'rebooting', 'failed'],
    accepted: ['migrating', 'repairing'],
    unchanged: ['stopping', 'stopped'],
  },
  // An instance that boots already is left to it.
  reboot: { offered: ['running'], accepted: ['migrating'], unchanged: ['starting', 'rebooting'] },
  delete: { offered: ['stopped', 'failed'] },
  resize: { offered: ['stopped', 'failed', 'creating'] },
  updateBootDisk: { offered: ['stopped', 'failed', 'creating'] },
  attachDisk: { offered: ['creating', 'stopped'] },
  detachDisk: { offered: ['creating', 'stopped', 'failed'] },
  /** Also adding one. */
  updateNic: { offered: ['stopped'] },
  removeNic: { offered: ['stopped', 'failed'] },
  changeExternalIps: { offered: ['stopped', 'running', 'rebooting'] },
  serialConsole: { offered: ['running', 'rebooting', 'migrating', 'repairing'] },
  addToAffinityGroup: { offered: ['stopped'], accepted: ['creating', 'failed'] },
} as const satisfies Actions<InstanceState>
export type InstanceAction = keyof typeof instanceActionStates

/** True if the action is offered in this state. */
export const instanceCan = (action: InstanceAction, state: InstanceState): boolean =>
  offers<InstanceState>(instanceActionStates[action], state)
export const instanceAnswer = (action: InstanceAction, state: InstanceState): Answer =>
  answer<InstanceState>(instanceActionStates[action], state)

/** On the way to another state: the console polls and shows them busy. */
const instanceTransitional: readonly InstanceState[] = [
  'creating',
  'starting',
  'rebooting',
  'migrating',
  'stopping',
]
export const isTransitional = (state: InstanceState): boolean => instanceTransitional.includes(state)

export const diskStates = [
  'creating',
  'detached',
  'import_ready',
  'importing_from_url',
  'importing_from_bulk_writes',
  'finalizing',
  'maintenance',
  'attaching',
  'attached',
  'detaching',
  'destroyed',
  'faulted',
] as const
export type DiskState = (typeof diskStates)[number]

export const diskActionStates = {
  delete: { offered: ['detached', 'faulted'] },
  snapshot: { offered: ['attached', 'detached'] },
  attach: { offered: ['creating', 'detached'] },
  detach: { offered: ['attached'], unchanged: ['detached'] },
  setAsBootDisk: { offered: ['attached'] },
  startImport: { offered: ['import_ready'] },
  importBlocks: { offered: ['importing_from_bulk_writes'] },
  stopImport: { offered: ['importing_from_bulk_writes'] },
  finalize: { offered: ['import_ready'] },
} as const satisfies Actions<DiskState>
export type DiskAction = keyof typeof diskActionStates

/** True if the action is offered in this state. */
export const diskCan = (action: DiskAction, state: DiskState): boolean =>
  offers<DiskState>(diskActionStates[action], state)
export const diskAnswer = (action: DiskAction, state: DiskState): Answer =>
  answer<DiskState>(diskActionStates[action], state)

export const diskTransitional: readonly DiskState[] = ['attaching', 'creating', 'detaching', 'finalizing']

export const snapshotStates = ['creating', 'ready', 'faulted', 'destroyed'] as const
export type SnapshotState = (typeof snapshotStates)[number]

export const snapshotActionStates = {
  delete: { offered: ['ready', 'faulted'] },
  createDisk: { offered: ['ready'] },
  createImage: { offered: ['ready'] },
} as const satisfies Actions<SnapshotState>
export type SnapshotAction = keyof typeof snapshotActionStates

/** True if the action is offered in this state. */
export const snapshotCan = (action: SnapshotAction, state: SnapshotState): boolean =>
  offers<SnapshotState>(snapshotActionStates[action], state)
export const snapshotAnswer = (action: SnapshotAction, state: SnapshotState): Answer =>
  answer<SnapshotState>(snapshotActionStates[action], state)

export const snapshotTransitional: readonly SnapshotState[] = ['creating']

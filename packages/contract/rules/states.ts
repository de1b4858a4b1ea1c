/**
 * States of instances, disks and snapshots, and the actions that each state allows. The console offers actions by
 * these tables and the server answers by them.
 */
import { instance, type InstanceAction, type InstanceState } from '../kinds/instances/instance.ts'
import type { Action } from '../kinds/kind.ts'
import { disk, type DiskAction, type DiskState } from '../kinds/storage/disk.ts'
import { snapshot, type SnapshotAction, type SnapshotState } from '../kinds/storage/snapshot.ts'
import { isOneOf } from './keys.ts'

export type { DiskAction, DiskState, InstanceAction, InstanceState, SnapshotAction, SnapshotState }

/** The reaction of the server to a request: run it, accept it without a change, or refuse it. */
export type Answer = 'act' | 'unchanged' | 'refuse'

function answer({ offered, accepted, unchanged }: Action, state: string): Answer {
  if (offered.includes(state) || accepted?.includes(state)) return 'act'
  return unchanged?.includes(state) ? 'unchanged' : 'refuse'
}

/** The table of a kind as functions: whether the console offers an action in a state, and what the server does. */
// @__NO_SIDE_EFFECTS__
const tableOf = <State extends string, Name extends string>(
  actions: Readonly<Record<Name, Action<State>>>,
) => ({
  can: (action: Name, state: State): boolean => actions[action].offered.includes(state),
  answer: (action: Name, state: State): Answer => answer(actions[action], state),
})

export const { states: instanceStates, actions: instanceActionStates } = instance
export const { can: instanceCan, answer: instanceAnswer } = tableOf<InstanceState, InstanceAction>(
  instance.actions,
)
/** On the way to another state: the console shows them busy. */
export const isTransitional = (state: InstanceState): boolean => isOneOf(instance.transitional, state)

export const diskStates = disk.states
export const { can: diskCan, answer: diskAnswer } = tableOf<DiskState, DiskAction>(disk.actions)
export const diskTransitional: readonly DiskState[] = disk.transitional

export const snapshotStates = snapshot.states
export const { can: snapshotCan, answer: snapshotAnswer } = tableOf<SnapshotState, SnapshotAction>(
  snapshot.actions,
)
export const snapshotTransitional: readonly SnapshotState[] = snapshot.transitional

/** Why an action on an instance is not offered now, in words. The states come from the contract. */
import {
  type InstanceAction,
  instanceCan,
  instanceActionStates,
  type InstanceState,
} from '@purlin/contract/rules/states'
import { Fragment, type ReactNode } from 'react'
import { partsJoinedByOr } from '#/lib/format.ts'

/** 'stopped, failed, or creating', the states set stronger than the words between them. */
function StateList({ states }: { states: readonly InstanceState[] }) {
  return partsJoinedByOr(states).map(({ type, value }, i) => (
    <Fragment key={i}>
      {type === 'element' ? <strong className="font-semibold">{value}</strong> : value}
    </Fragment>
  ))
}

const only = (states: readonly InstanceState[], what: string): ReactNode => (
  <>
    Only <StateList states={states} /> instances can be {what}
  </>
)

const reasons = {
  start: only(instanceActionStates.start.offered, 'started'),
  // The others are on their way somewhere; naming the common state is enough.
  stop: only(['running'], 'stopped'),
  forceStop: only(instanceActionStates.forceStop.offered, 'powered off'),
  reboot: only(instanceActionStates.reboot.offered, 'rebooted'),
  resize: only(instanceActionStates.resize.offered, 'resized'),
  delete: only(instanceActionStates.delete.offered, 'deleted'),
  addToAffinityGroup: only(instanceActionStates.addToAffinityGroup.offered, 'added to a group'),
  updateBootDisk: 'Instance must be stopped before boot disk can be changed',
} satisfies Partial<Record<InstanceAction, ReactNode>>

/** Why the action is not offered in this state, or undefined if it is. */
export const disabledReason = (action: keyof typeof reasons, state: InstanceState): ReactNode | undefined =>
  instanceCan(action, state) ? undefined : reasons[action]

/** Why an action on an instance is not offered now, in words. The states come from the contract. */
import {
  instanceCan,
  instanceOffers,
  type InstanceAction,
  type InstanceState,
} from '@purlin/contract/rules/instance'
import { Fragment, type ReactNode } from 'react'

const or = new Intl.ListFormat('en', { type: 'disjunction' })

/** 'stopped, failed, or creating', the states set stronger than the words between them. */
function StateList({ states }: { states: readonly InstanceState[] }) {
  return or
    .formatToParts(states)
    .map(({ type, value }, i) => (
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
  start: only(instanceOffers.start, 'started'),
  // The others are on their way somewhere; naming the common state is enough.
  stop: only(['running'], 'stopped'),
  reboot: only(instanceOffers.reboot, 'rebooted'),
  resize: only(instanceOffers.resize, 'resized'),
  delete: only(instanceOffers.delete, 'deleted'),
  updateBootDisk: 'Instance must be stopped before boot disk can be changed',
  detachDisk: 'Instance must be stopped before disk can be detached',
  attachDisk: 'Instance must be stopped to attach a disk',
} satisfies Partial<Record<InstanceAction, ReactNode>>

/** Why the action is not offered in this state, or undefined if it is. */
export const refusal = (action: keyof typeof reasons, state: InstanceState): ReactNode | undefined =>
  instanceCan(action, state) ? undefined : reasons[action]

/** States in which an instance cannot be changed, in sentences. No document stops an instance. */
import {
  instanceActionStates,
  instanceAnswer,
  isTransitional,
  type InstanceAction,
  type InstanceState,
} from '@purlin/contract/rules/states'
import { isOneOf } from '@purlin/contract/rules/keys'
import type { At, Source } from './section.ts'

/** Why an action on the instance is refused in its state; undefined if it is possible. */
export async function obstacleFor(
  { api }: Source,
  { instance = '', ...query }: At,
  action: InstanceAction,
): Promise<string | undefined> {
  const view = await api.find('instanceView', { params: { instance }, query })
  if (!view) return undefined
  const state = view['run_state'] as InstanceState
  if (instanceAnswer(action, state) !== 'refuse') return undefined
  const isSoon = isTransitional(state) && isOneOf(instanceActionStates[action].offered, 'running')
  if (isSoon || instanceAnswer('stop', state) !== 'act')
    return `cannot be changed yet: instance ${instance} is ${state}`
  return `needs instance ${instance} to be stopped, which is ${state}: stop it first`
}

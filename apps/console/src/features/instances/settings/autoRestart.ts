/** The automatic restarts of a failed instance. */
import { restartsSoon } from '@purlin/contract/rules/auto-restart'
import type { Instance } from '#/features/instance-state/update.ts'

export type AutoRestartStatus = { at: 'off' } | { at: 'soon' } | { at: 'waiting'; left: string }

const minute = 60_000
const inWords = (count: number, unit: 'minute' | 'second') =>
  new Intl.NumberFormat('en', { style: 'unit', unit, unitDisplay: 'long' }).format(count)

/** A span in ms in words, rounded up: '5 minutes', below one minute '30 seconds'. */
export const spanInWords = (ms: number): string =>
  ms < minute ? inWords(Math.ceil(ms / 1000), 'second') : inWords(Math.ceil(ms / minute), 'minute')

/** The next step for a failed instance. `now` in ms. */
export function autoRestartStatus(
  instance: Pick<Instance, 'autoRestartEnabled' | 'autoRestartCooldownExpiration'>,
  now: number,
): AutoRestartStatus {
  const expiry = instance.autoRestartCooldownExpiration
  if (!instance.autoRestartEnabled) return { at: 'off' }
  if (!expiry || restartsSoon({ ...instance, runState: 'failed' }, now)) return { at: 'soon' }
  return { at: 'waiting', left: spanInWords(expiry.getTime() - now) }
}

export type PolicyChoice = 'default' | NonNullable<Instance['autoRestartPolicy']>

/** Every policy with its name; an unset policy means the platform's. */
export const policyWords: Record<PolicyChoice, string> = {
  default: 'Default',
  never: 'Never',
  best_effort: 'Best effort',
}
export const policyOf = ({ autoRestartPolicy }: Pick<Instance, 'autoRestartPolicy'>): PolicyChoice =>
  autoRestartPolicy ?? 'default'
/** The policy as the wire has it. */
export const policyToWire = (choice: PolicyChoice) => (choice === 'default' ? null : choice)

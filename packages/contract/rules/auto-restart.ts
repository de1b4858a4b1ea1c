/** Automatic restarts of failed instances. */
import type { InstanceState } from './states.ts'

/** Milliseconds between two automatic restarts. */
export const autoRestartCooldownMs = 5 * 60_000

/** True if a failed instance waits only for the restart loop, not for its cooldown. `now` in ms. */
export function restartsSoon(
  instance: {
    runState: InstanceState
    autoRestartEnabled: boolean
    autoRestartCooldownExpiration?: Date | null | undefined
  },
  now: number,
): boolean {
  const { runState, autoRestartEnabled, autoRestartCooldownExpiration: expiry } = instance
  return runState === 'failed' && autoRestartEnabled && (!expiry || expiry.getTime() <= now)
}

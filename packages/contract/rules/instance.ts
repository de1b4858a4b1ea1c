/** States of an instance and what may be done in each. The server refuses by these tables, the console disables by them. */
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

/** States in which a person is offered an action. */
export const instanceOffers = {
  start: ['stopped', 'failed'],
  delete: ['stopped', 'failed'],
  resize: ['stopped', 'failed', 'creating'],
  updateBootDisk: ['stopped', 'failed', 'creating'],
  reboot: ['running'],
  stop: ['running', 'starting', 'rebooting', 'failed'],
  detachDisk: ['creating', 'stopped', 'failed'],
  attachDisk: ['creating', 'stopped'],
  /** Also adding one. */
  updateNic: ['stopped'],
  removeNic: ['stopped', 'failed'],
  changeExternalIps: ['stopped', 'running', 'rebooting'],
  serialConsole: ['running', 'rebooting', 'migrating', 'repairing'],
  addToAffinityGroup: ['stopped'],
} as const satisfies Record<string, readonly InstanceState[]>
export type InstanceAction = keyof typeof instanceOffers

export const instanceCan = (action: InstanceAction, state: InstanceState): boolean =>
  (instanceOffers[action] as readonly InstanceState[]).includes(state)

/** On their way to another state: the console polls and shows them busy. */
const instanceTransitional: readonly InstanceState[] = [
  'creating',
  'starting',
  'rebooting',
  'migrating',
  'stopping',
]
export const isTransitional = (state: InstanceState): boolean => instanceTransitional.includes(state)

/** Minutes between two automatic restarts. */
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

/** States of a snapshot and what may be done in each. */
export const snapshotStates = ['creating', 'ready', 'faulted', 'destroyed'] as const
export type SnapshotState = (typeof snapshotStates)[number]

export const snapshotOffers = {
  delete: ['ready', 'faulted'],
  createDisk: ['ready'],
  createImage: ['ready'],
} as const satisfies Record<string, readonly SnapshotState[]>
export type SnapshotAction = keyof typeof snapshotOffers

export const snapshotCan = (action: SnapshotAction, state: SnapshotState): boolean =>
  (snapshotOffers[action] as readonly SnapshotState[]).includes(state)

export const snapshotTransitional: readonly SnapshotState[] = ['creating']

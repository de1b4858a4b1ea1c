/** States of a disk and what may be done in each. */
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
export type DiskStateName = (typeof diskStates)[number]

export const diskOffers = {
  delete: ['detached', 'faulted'],
  snapshot: ['attached', 'detached'],
  attach: ['creating', 'detached'],
  detach: ['attached'],
  setAsBootDisk: ['attached'],
  startImport: ['import_ready'],
  importBlocks: ['importing_from_bulk_writes'],
  stopImport: ['importing_from_bulk_writes'],
  finalize: ['import_ready'],
} as const satisfies Record<string, readonly DiskStateName[]>
export type DiskAction = keyof typeof diskOffers

export const diskCan = (action: DiskAction, state: DiskStateName): boolean =>
  (diskOffers[action] as readonly DiskStateName[]).includes(state)

export const diskTransitional: readonly DiskStateName[] = ['attaching', 'creating', 'detaching', 'finalizing']

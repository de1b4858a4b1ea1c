/** Words of the roll-out of a release. */

/** The parts of a rack that are updated one at a time. */
export const unitKinds = ['switch', 'sled'] as const
export type UnitKind = (typeof unitKinds)[number]

/** A sled is emptied before its components restart. */
export const rollOutPhases = ['evacuating', 'installing'] as const
export type RollOutPhase = (typeof rollOutPhases)[number]

/** `other`: the release has nothing for it. `missing`: it does not answer. */
export const componentStates = ['current', 'pending', 'updating', 'missing', 'other'] as const
export type ComponentState = (typeof componentStates)[number]

/** Repositories that are kept: those of the last targets, and those that were uploaded last. */
export const repositoriesKept = { targets: 3, uploads: 2 }

/** Software of the factory, and software that no version was reported of. */
export const factoryRelease = 'install dataset'
export const unknownRelease = 'unknown'

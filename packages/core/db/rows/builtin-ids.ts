/** The ids of the users that the control plane itself acts as. */

/** Of the one at a position, from 1. */
export const builtinUserId = (position: number): string =>
  `001de000-05e4-4000-8000-${String(position).padStart(12, '0')}`

/** Of the one that requests of SCIM clients come from. */
export const externalScimId = builtinUserId(3)

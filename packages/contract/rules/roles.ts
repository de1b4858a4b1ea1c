/** Roles, strongest first, and how they add up. */
export const roles = ['admin', 'collaborator', 'viewer'] as const
export type Role = (typeof roles)[number]

/** Rank in the order of strength: admin 0, collaborator 1, viewer 2. */
export const roleRank = (role: Role): number => roles.indexOf(role)

/** True if `held` implies `needed` at the same level. */
export const implies = (held: Role | null | undefined, needed: Role): boolean =>
  held !== null && held !== undefined && roleRank(held) <= roleRank(needed)

/** The strongest of several roles, or null. */
export const strongest = (held: readonly (Role | null | undefined)[]): Role | null =>
  roles.find((role) => held.includes(role)) ?? null

/** The role on every project that a silo role includes: a silo collaborator is a project admin. */
export const projectRoleOfSiloRole = (role: Role | null): Role | null =>
  role === 'collaborator' ? 'admin' : role

import { Badge } from '#/ui/value/Badge.tsx'
import type { Choice } from '#/ui/field/choices.tsx'
import type { IpPool } from './queries.ts'

/** Pools as lines of a list to choose from, by name. */
export const poolChoices = (pools: readonly IpPool[]): Choice[] =>
  pools.map(({ name, description, isDefault }) => ({
    value: name,
    label: name,
    description,
    ...(isDefault ? { aside: <Badge>default</Badge> } : {}),
  }))

/** The name of the pool that is taken unless another is chosen; empty if the silo has none. */
export const defaultPool = (pools: readonly IpPool[]): string =>
  pools.find(({ isDefault }) => isDefault)?.name ?? ''

import { Notice } from '#/ui/feedback/Notice.tsx'

/** Explains who can see the values of a pool's forms. */
export const PoolNotice = () => (
  <Notice>Users of the linked silos see the name and description when they choose a pool.</Notice>
)

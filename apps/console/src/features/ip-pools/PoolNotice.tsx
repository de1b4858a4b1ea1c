import { Notice } from '#/ui/feedback/Notice.tsx'

/** Who reads what the forms of a pool ask for. */
export const PoolNotice = () => (
  <Notice>Users of the linked silos see the name and description when they choose a pool.</Notice>
)

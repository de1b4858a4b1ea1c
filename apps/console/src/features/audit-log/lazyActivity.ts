import { lazily } from '#/lib/lazily.tsx'

/** The activity in a panel, whose code comes when a panel is opened: the pages below load none of it. */
export const ActivityInPanel = lazily<'ActivityInPanel', { resource: string }>(
  () => import('./Activity.tsx'),
  'ActivityInPanel',
)

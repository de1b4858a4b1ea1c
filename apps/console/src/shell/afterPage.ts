/** What every page needs once it is shown: one file. */
export { followEvents } from '#/api/events.ts'
export { ToastStack } from '#/ui/ToastStack.tsx'
export { ConnectionText } from './ConnectionText.tsx'

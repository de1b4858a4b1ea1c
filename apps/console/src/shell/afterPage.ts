/** Code that every page needs once it is shown: one file. */
export { followEvents } from '#/live/events.ts'
export { ToastStack } from '#/ui/feedback/ToastStack.tsx'
export { followIdle } from './followIdle.ts'
export { followChanges } from './followChanges.ts'
export { ConnectionText } from './notices/ConnectionText.tsx'
// Without a network it could not be loaded when it is needed.
export { RouteErrorScreen } from './RouteErrorScreen.tsx'

import { lazily } from '#/lib/lazily.tsx'

/** Shown if the error screen itself cannot be loaded. */
const Unreachable = () => (
  <p role="alert" className="p-8">
    The server cannot be reached. Check the connection.
  </p>
)
const fetchScreen = () => import('./afterPage.ts').catch(() => ({ RouteErrorScreen: Unreachable }))
const Screen = lazily<'RouteErrorScreen', { error?: unknown }>(fetchScreen, 'RouteErrorScreen')

/** Shown instead of a route that failed. */
export const RouteError = ({ error }: { error: unknown }) => <Screen error={error} />
/** No such page. */
export const RouteNotFound = () => <Screen />

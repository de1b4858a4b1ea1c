import { lazily } from '../lib/lazily.tsx'

/** What stands in its place if even the error screen cannot be fetched. */
const Unreachable = () => (
  <p role="alert" className="p-8">
    The server cannot be reached. Check the connection and load the page again.
  </p>
)
const fetchScreen = () => import('./RouteErrorScreen.tsx').catch(() => ({ RouteErrorScreen: Unreachable }))
const Screen = lazily<'RouteErrorScreen', { error?: unknown }>(fetchScreen, 'RouteErrorScreen')

/** What stands in place of a route that failed. */
export const RouteError = ({ error }: { error: unknown }) => <Screen error={error} />
/** No such page. */
export const RouteNotFound = () => <Screen />

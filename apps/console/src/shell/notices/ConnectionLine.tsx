import { useSyncExternalStore } from 'react'
import { connection } from '#/api/connection.ts'
import { useAfterPage } from '../useAfterPage.ts'

/** True while the server cannot be reached, so that what is shown may be out of date. */
export const useIsLost = (): boolean => useSyncExternalStore(connection.subscribe, connection.isAway)

/** Says so, above everything. */
export function ConnectionLine() {
  const loaded = useAfterPage()
  return <div role="status">{loaded && <loaded.ConnectionText />}</div>
}

import { useStore } from '#/lib/store.ts'
import { connection } from '#/api/connection.ts'
import { useAfterPage } from '../useAfterPage.ts'

/** True while the server cannot be reached, so that what is shown may be out of date. */
export const useIsLost = (): boolean => useStore({ ...connection, get: connection.isAway })

/** Says so, above everything. */
export function ConnectionLine() {
  const loaded = useAfterPage()
  return <div role="status">{loaded && <loaded.ConnectionText />}</div>
}

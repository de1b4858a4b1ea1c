import { toActivity } from '#/resource/actions/activity.ts'
import { useAfterPage } from '../useAfterPage.ts'

/** Shows toasts. There is none before something was done: what they look like is loaded after the page. */
export function ToastHost() {
  const loaded = useAfterPage()
  return loaded && <loaded.ToastStack more={toActivity} />
}

import { useEffect, useState } from 'react'
import { onDemand } from '#/lib/lazily.tsx'
import { toActivity } from '#/resource/activity.ts'

const toasts = onDemand(() => import('#/ui/ToastStack.tsx'), 'ToastStack')

/** Shows toasts. There is none before something was done: what they look like is loaded after the page. */
export function ToastHost() {
  const [isLoaded, setLoaded] = useState(false)
  useEffect(() => {
    void toasts
      .load()
      .then(() => setLoaded(true))
      .catch(reportError)
  }, [])
  return isLoaded && <toasts.Component more={toActivity} />
}

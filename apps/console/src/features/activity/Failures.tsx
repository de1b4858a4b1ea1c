import { useStore } from '#/lib/store.ts'
import { RelativeTime } from '#/ui/value/RelativeTime.tsx'
import { RequestId } from '#/ui/feedback/RequestId.tsx'
import { failureStore } from '#/ui/feedback/toast.ts'

/** The failures that toasts have shown since the page was loaded, in full. */
export function Failures() {
  const failures = useStore(failureStore)
  if (failures.length === 0) return null
  return (
    <section aria-label="Failures on this page" className="space-y-3">
      <h3 className="font-[550]">Failures on this page</h3>
      <ul className="space-y-3">
        {failures.map(({ id, at, title = 'Error', content, requestId, code }) => (
          <li key={id}>
            <div className="flex items-baseline justify-between gap-3">
              <span className="wrap-anywhere">{title}</span>
              <RelativeTime date={at} />
            </div>
            <div className="max-h-40 overflow-y-auto wrap-anywhere text-secondary">{content}</div>
            {requestId && <RequestId id={requestId} code={code} className="mt-1" />}
          </li>
        ))}
      </ul>
    </section>
  )
}

import CircleAlert from 'lucide-react/icons/circle-alert'
import { RequestId } from '../feedback/RequestId.tsx'

/** An error of the control plane, in words for the user. */
export interface FormIssue {
  message: string
  requestId?: string | undefined
  code?: string | undefined
}

/** One issue under 'Error', several as a list under 'Errors'. The live region is always present, so that the first error is announced. */
export function FormErrorBanner({ issues, className }: { issues: readonly FormIssue[]; className?: string }) {
  const [first] = issues
  return (
    <div role="alert" className={first ? className : undefined}>
      {first && (
        <div className="flex items-start gap-2.5 rounded-md border border-danger/40 bg-danger-soft px-3.5 py-2.5">
          <CircleAlert size={16} className="mt-px shrink-0 text-danger" />
          <div className="min-w-0">
            <div className="font-[550] text-danger">{issues.length > 1 ? 'Errors' : 'Error'}</div>
            {issues.length > 1 ? (
              <IssueList issues={issues} />
            ) : (
              <p className="wrap-anywhere">{first.message}</p>
            )}
            {first.requestId && <RequestId id={first.requestId} code={first.code} className="mt-1" />}
          </div>
        </div>
      )}
    </div>
  )
}

function IssueList({ issues }: { issues: readonly FormIssue[] }) {
  return (
    <>
      <p>{issues.length} issues:</p>
      <ul className="list-disc pl-4">
        {issues.map(({ message }) => (
          <li key={message} className="wrap-anywhere">
            {message}
          </li>
        ))}
      </ul>
    </>
  )
}

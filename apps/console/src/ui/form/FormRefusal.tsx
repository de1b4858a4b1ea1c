import CircleAlert from 'lucide-react/icons/circle-alert'
import { cx } from '#/lib/text.ts'
import { RequestId } from '../feedback/RequestId.tsx'
import type { FormIssue } from './FormErrorBanner.tsx'

/** Why a form was refused. */
export interface RefusedForm extends FormIssue {
  /** The field that it is about, and what puts the focus into it. */
  field?: { label: string; onGo: () => void } | undefined
}

/**
 * At the foot of a form, next to its buttons, and nowhere else on the screen. The live region is always present, so
 * that the first refusal is announced.
 */
export const FormRefusal = ({
  problem,
  className,
}: {
  problem: RefusedForm | undefined
  className?: string
}) => (
  <div role="alert" className={cx('min-w-0', className)}>
    {problem && (
      <>
        <p className="flex max-h-40 items-start gap-1.5 overflow-y-auto text-danger">
          <CircleAlert size={14} className="mt-[3px] shrink-0" />
          <span className="wrap-anywhere">
            {problem.message}
            {problem.field && (
              <>
                {' '}
                <button
                  type="button"
                  onClick={problem.field.onGo}
                  className="underline decoration-1 underline-offset-2 hover:decoration-2"
                >
                  Go to {problem.field.label}
                </button>
              </>
            )}
          </span>
        </p>
        {problem.requestId && <RequestId id={problem.requestId} code={problem.code} className="mt-1" />}
      </>
    )}
  </div>
)

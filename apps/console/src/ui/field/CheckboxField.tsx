import { type ReactNode, type Ref, useEffect, useId, useRef } from 'react'
import { cx } from '#/lib/text.ts'
import { FieldError } from './fieldParts.tsx'

/** A checkbox with its text. `indeterminate` means 'some of them'. */
export interface CheckboxFieldProps {
  label: ReactNode
  /** Keep the label for assistive technology only. */
  hideLabel?: boolean
  hint?: ReactNode
  checked: boolean
  indeterminate?: boolean
  onChange: (checked: boolean) => void
  onBlur?: (() => void) | undefined
  name?: string | undefined
  error?: string | undefined
  /** id of a text elsewhere that says more, e.g. what is wrong with the list it belongs to */
  describedBy?: string | undefined
  disabledReason?: ReactNode
  className?: string
  ref?: Ref<HTMLInputElement> | undefined
}

export function CheckboxField({
  label,
  hideLabel = false,
  hint,
  checked,
  indeterminate = false,
  onChange,
  onBlur,
  name,
  error,
  describedBy,
  disabledReason,
  className,
  ref,
}: CheckboxFieldProps) {
  const id = useId()
  const own = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (own.current) own.current.indeterminate = indeterminate
  }, [indeterminate])
  const setRef = (input: HTMLInputElement | null) => {
    own.current = input
    if (typeof ref === 'function') ref(input)
    else if (ref) ref.current = input
  }
  const said = disabledReason || hint
  return (
    <div className={className}>
      <label className={cx('inline-flex items-start gap-2', Boolean(disabledReason) && 'text-tertiary')}>
        <input
          ref={setRef}
          type="checkbox"
          name={name}
          checked={checked}
          aria-disabled={disabledReason ? true : undefined}
          aria-invalid={error ? true : undefined}
          aria-describedby={
            cx(Boolean(said) && `${id}-hint`, Boolean(error) && `${id}-error`, describedBy) || undefined
          }
          onChange={(event) => !disabledReason && onChange(event.target.checked)}
          onBlur={onBlur}
          className="tick-box mt-[2px]"
        />
        <span className={hideLabel ? 'sr-only' : undefined}>{label}</span>
      </label>
      {said && (
        <div id={`${id}-hint`} className="pl-[23px] text-hint text-secondary">
          {said}
        </div>
      )}
      {!hideLabel && <FieldError id={`${id}-error`} error={error} />}
    </div>
  )
}

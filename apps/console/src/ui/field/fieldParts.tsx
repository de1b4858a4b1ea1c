import { type ElementType, type ReactNode, useId } from 'react'
import { cx } from '#/lib/text.ts'
import { TipIcon } from '#/ui/overlay/TipIcon.tsx'

/** The common parts around every field's control. */
export interface FieldProps {
  label: string
  /** Shown under the label, and the control's accessible description. */
  hint?: ReactNode
  /** Explained behind a '?' next to the label. */
  tip?: ReactNode
  /** Appended to the label in brackets. */
  units?: string | undefined
  required?: boolean
  /** It narrows a list down, where nothing ever needs to be entered. */
  isFilter?: boolean
  error?: string | undefined
  /** Disables the control; the reason is shown under the label. */
  disabledReason?: ReactNode
  /** Shown at the right of the label, for instance a counter. */
  aside?: ReactNode
  className?: string
}

/** The label of a field, with '(Optional)' where nothing needs to be entered. */
export function FieldLabel({
  as: Label = 'label',
  id,
  htmlFor,
  label,
  units,
  required = false,
  isFilter = false,
  tip,
  aside,
}: Pick<FieldProps, 'label' | 'units' | 'required' | 'isFilter' | 'tip' | 'aside'> & {
  as?: ElementType
  id?: string
  htmlFor?: string | undefined
}) {
  return (
    <div className="flex items-center gap-1.5">
      <Label {...(id ? { id } : {})} {...(htmlFor ? { htmlFor } : {})} className="font-medium text-ink">
        {label}
        {units && ` (${units})`}
        {!required && !isFilter && (
          <span aria-hidden className="ml-1.5 text-hint font-normal text-tertiary">
            (Optional)
          </span>
        )}
      </Label>
      {tip && <TipIcon>{tip}</TipIcon>}
      {aside && <span className="ml-auto text-hint text-tertiary">{aside}</span>}
    </div>
  )
}

/** The error line under a field; always present, so that its text is announced when it appears. */
export function FieldError({ id, error }: { id: string; error: string | undefined }) {
  return (
    <div id={id} aria-live="assertive" className="text-hint text-danger not-empty:mt-[5px]">
      {error}
    </div>
  )
}

/** The attributes that tie a control to its label, hint and error. */
export function useFieldIds({ hint, disabledReason, error, required }: FieldProps) {
  const id = useId()
  const hintId = `${id}-hint`
  const errorId = `${id}-error`
  const described = [(hint || disabledReason) && hintId, error && errorId].filter(Boolean).join(' ')
  return {
    id,
    labelId: `${id}-label`,
    hintId,
    errorId,
    described: described || undefined,
    describedBy: described ? { 'aria-describedby': described } : {},
    control: {
      id,
      'aria-describedby': described || undefined,
      'aria-invalid': error ? true : undefined,
      'aria-required': required || undefined,
      'aria-disabled': disabledReason ? true : undefined,
    } as const,
  }
}

/** Label, hint, control and error in their places. */
export function FieldFrame({
  field,
  ids,
  labelAs,
  children,
}: {
  field: FieldProps
  ids: ReturnType<typeof useFieldIds>
  labelAs?: ElementType
  children: ReactNode
}) {
  const said = field.disabledReason || field.hint
  return (
    <div className={cx('max-w-full', field.className)}>
      {labelAs ? (
        <FieldLabel as={labelAs} {...field} />
      ) : (
        <FieldLabel id={ids.labelId} htmlFor={ids.id} {...field} />
      )}
      {said && (
        <div id={ids.hintId} className="mt-0.5 text-hint text-secondary">
          {said}
        </div>
      )}
      <div className="mt-1.5">{children}</div>
      <FieldError id={ids.errorId} error={field.error} />
    </div>
  )
}

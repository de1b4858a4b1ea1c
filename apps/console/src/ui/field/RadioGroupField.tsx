import { type ReactNode, type Ref, useId } from 'react'
import { cx } from '#/lib/text.ts'
import { FieldError, FieldLabel, type FieldProps, useFieldIds } from './fieldParts.tsx'

/** One radio button or card of a group. */
export interface RadioOption {
  value: string
  label: ReactNode
  description?: ReactNode
  disabledReason?: string | undefined
}

/** Choose one of few, all in view. */
export interface RadioGroupFieldProps extends FieldProps {
  options: readonly RadioOption[]
  value: string
  onChange: (value: string) => void
  onBlur?: (() => void) | undefined
  name?: string | undefined
  direction?: 'row' | 'column'
  ref?: Ref<HTMLInputElement> | undefined
}

/** The frame of a group of radio buttons: a fieldset named by its label. */
export function RadioFrame({
  field,
  children,
}: {
  field: RadioGroupFieldProps
  children: (name: string) => ReactNode
}) {
  const ids = useFieldIds(field)
  const own = useId()
  const said = field.disabledReason || field.hint
  return (
    <div
      role="radiogroup"
      aria-labelledby={ids.labelId}
      aria-describedby={ids.described}
      aria-required={field.required || undefined}
      aria-invalid={field.error ? true : undefined}
      className={field.className}
    >
      <FieldLabel as="span" id={ids.labelId} {...field} />
      {said && (
        <div id={ids.hintId} className="mt-0.5 text-hint text-secondary">
          {said}
        </div>
      )}
      {children(`${field.name ?? 'radio'}-${own}`)}
      <FieldError id={ids.errorId} error={field.error} />
    </div>
  )
}

/** One choice of a group: its button, its label and, as its description, what is said below the label. */
export function Radio({
  field: { options, value, onChange, onBlur, ref, disabledReason },
  index,
  name,
  look,
}: {
  field: RadioGroupFieldProps
  index: number
  name: string
  look: { box: string; input: string; text?: string }
}) {
  const id = useId()
  const option = options[index]
  if (!option) return null
  const said = option.disabledReason ?? option.description
  return (
    <label className={look.box}>
      <input
        ref={option.value === value || index === 0 ? ref : undefined}
        type="radio"
        name={name}
        value={option.value}
        aria-labelledby={`${id}-label`}
        aria-describedby={said ? `${id}-hint` : undefined}
        checked={option.value === value}
        disabled={Boolean(disabledReason || option.disabledReason)}
        onChange={() => onChange(option.value)}
        onBlur={onBlur}
        className={look.input}
      />
      <span>
        <span id={`${id}-label`} className={cx('block', look.text)}>
          {option.label}
        </span>
        {said && (
          <span id={`${id}-hint`} className="block text-hint text-secondary">
            {said}
          </span>
        )}
      </span>
    </label>
  )
}

const look = { box: 'flex items-start gap-2 has-disabled:text-tertiary', input: 'tick-box mt-[2px]' }

export function RadioGroupField(props: RadioGroupFieldProps) {
  const { options, direction = 'column' } = props
  return (
    <RadioFrame field={props}>
      {(name) => (
        <div
          className={cx('mt-2 flex', direction === 'row' ? 'flex-wrap gap-x-6 gap-y-2' : 'flex-col gap-2')}
        >
          {options.map(({ value }, i) => (
            <Radio key={value} field={props} index={i} name={name} look={look} />
          ))}
        </div>
      )}
    </RadioFrame>
  )
}

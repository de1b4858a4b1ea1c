import Minus from 'lucide-react/icons/minus'
import Plus from 'lucide-react/icons/plus'
import { type KeyboardEvent, type Ref, useState } from 'react'
import { clampNumber, isNumberDraft, notANumber, readNumber, textOf } from '#/lib/numberText.ts'
import { FieldFrame, type FieldProps, useFieldIds } from './fieldParts.tsx'

/**
 * A number typed or stepped, in the writing of the browser's locale. Every keystroke is committed; NaN means empty, or
 * text that is not a number, which comes with the problem; bounds are enforced on blur.
 */
export interface NumberFieldProps extends FieldProps {
  value: number
  onChange: (value: number, problem?: string) => void
  onBlur?: (() => void) | undefined
  name?: string | undefined
  min?: number
  max?: number
  step?: number
  /** Refuse decimals. */
  integer?: boolean
  ref?: Ref<HTMLInputElement> | undefined
}

export function NumberField(props: NumberFieldProps) {
  const {
    value,
    onChange,
    onBlur,
    name,
    min = 0,
    max = Number.POSITIVE_INFINITY,
    step = 1,
    integer = false,
    ref,
  } = props
  const rule = { min, integer }
  const [draft, setDraft] = useState(textOf(value))
  const [seen, setSeen] = useState(value)
  const [complaint, setComplaint] = useState<string>()
  const unread = readNumber(draft, rule).problem
  const field = { ...props, error: complaint ?? (props.error && (unread ?? props.error)) }
  const ids = useFieldIds(field)
  // A value from outside replaces the draft; the text of the user's own keystroke ('1.') must be kept.
  if (!Object.is(seen, value)) {
    setSeen(value)
    if (!Object.is(readNumber(draft, rule).value, value)) {
      setDraft(textOf(value))
      setComplaint(undefined)
    }
  }
  const isLocked = Boolean(props.disabledReason)
  const set = (next: number) => {
    setDraft(textOf(next))
    setComplaint(undefined)
    onChange(next)
  }
  const type = (text: string) => {
    if (!isNumberDraft(text, rule)) return setComplaint(notANumber(text, rule))
    const { value: next, problem } = readNumber(text, rule)
    setDraft(text)
    // Text that is still typed may become a number: the problem is shown on blur.
    setComplaint(undefined)
    onChange(next, problem)
  }
  const change = (by: number) =>
    set(
      clampNumber((Number.isNaN(value) ? Math.max(min, 0) - Math.sign(by) * step : value) + by, { min, max }),
    )
  const leave = () => {
    if (unread !== undefined) setComplaint(unread)
    else if (!Number.isNaN(value) && clampNumber(value, { min, max }) !== value)
      set(clampNumber(value, { min, max }))
    else setDraft(textOf(value))
    onBlur?.()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const direction = event.key === 'ArrowUp' ? 1 : event.key === 'ArrowDown' ? -1 : 0
    if (direction === 0 || isLocked) return
    event.preventDefault()
    change(direction * step)
  }
  return (
    <FieldFrame field={field} ids={ids}>
      <div className="control-box flex h-control overflow-hidden">
        <input
          {...ids.control}
          ref={ref}
          name={name}
          type="text"
          inputMode={integer ? 'numeric' : 'decimal'}
          value={draft}
          required={props.required}
          readOnly={isLocked}
          autoComplete="off"
          onChange={(event) => type(event.target.value)}
          onKeyDown={onKeyDown}
          onBlur={leave}
          className="mono min-w-0 grow bg-transparent px-2.5 outline-none aria-disabled:cursor-not-allowed aria-disabled:text-tertiary"
        />
        <Stepper
          label={`Decrease ${props.label}`}
          isOff={isLocked || value <= min}
          onPress={() => change(-step)}
        />
        <Stepper
          label={`Increase ${props.label}`}
          isOff={isLocked || value >= max}
          onPress={() => change(step)}
        />
      </div>
    </FieldFrame>
  )
}

// Out of the tab order: the arrow keys do the same from inside the box.
function Stepper({ label, isOff, onPress }: { label: string; isOff: boolean; onPress: () => void }) {
  const Icon = label.startsWith('Increase') ? Plus : Minus
  return (
    <button
      type="button"
      tabIndex={-1}
      aria-label={label}
      disabled={isOff}
      onClick={onPress}
      className="grid w-7.5 shrink-0 place-content-center border-l border-line text-secondary hover:bg-hover hover:text-ink disabled:bg-transparent disabled:text-tertiary disabled:opacity-50"
    >
      <Icon size={13} />
    </button>
  )
}

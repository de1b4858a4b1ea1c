import Minus from 'lucide-react/icons/minus'
import Plus from 'lucide-react/icons/plus'
import { type KeyboardEvent, type Ref, useState } from 'react'
import { clampNumber, isNumberDraft, numberOf, textOf } from '#/lib/input/numberDraft.ts'
import { FieldFrame, type FieldProps, useFieldIds } from './fieldParts.tsx'

/** A number typed or stepped. Every keystroke is committed; NaN means empty; bounds are enforced on blur. */
export interface NumberFieldProps extends FieldProps {
  value: number
  onChange: (value: number) => void
  onBlur?: (() => void) | undefined
  name?: string | undefined
  min?: number
  max?: number
  step?: number
  /** Refuse decimals while typing. */
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
  const ids = useFieldIds(props)
  const [draft, setDraft] = useState(textOf(value))
  const [seen, setSeen] = useState(value)
  // A value from outside replaces the draft; the text of the user's own keystroke ('1.') must be kept.
  if (!Object.is(seen, value)) {
    setSeen(value)
    if (!Object.is(numberOf(draft), value)) setDraft(textOf(value))
  }
  const isLocked = Boolean(props.disabledReason)
  const set = (next: number) => {
    setDraft(textOf(next))
    onChange(next)
  }
  const type = (text: string) => {
    const cleaned = text.replace(',', '.')
    if (!isNumberDraft(cleaned, { min, integer })) return
    setDraft(cleaned)
    onChange(numberOf(cleaned))
  }
  const change = (by: number) =>
    set(
      clampNumber((Number.isNaN(value) ? Math.max(min, 0) - Math.sign(by) * step : value) + by, { min, max }),
    )
  const leave = () => {
    if (!Number.isNaN(value) && clampNumber(value, { min, max }) !== value)
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
    <FieldFrame field={props} ids={ids}>
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

import ChevronDown from 'lucide-react/icons/chevron-down'
import { type Ref, useRef } from 'react'
import { cx } from '../../lib/text.ts'
import { Spinner } from '../Spinner.tsx'
import type { Choice } from './choices.tsx'
import { FieldFrame, type FieldProps, useFieldIds } from './fieldParts.tsx'
import { OptionList } from './OptionList.tsx'
import { useCombobox } from './useCombobox.ts'

/** A text box with a list below it that narrows while one types, ignoring case and spaces. Text that is not an
 * item is put back on leaving, or kept where custom values are allowed. */
export interface ComboboxFieldProps extends FieldProps {
  items: readonly Choice[]
  value: string
  onChange: (value: string) => void
  onBlur?: (() => void) | undefined
  name?: string | undefined
  placeholder?: string
  allowCustom?: boolean
  /** Items are still coming. */
  loading?: boolean
  /** Narrow on the server: called with the text typed; the items given are then shown as they are. */
  onSearch?: (text: string) => void
  mono?: boolean
  ref?: Ref<{ focus: () => void }> | undefined
}

export function ComboboxField(props: ComboboxFieldProps) {
  const {
    items,
    value,
    onChange,
    onBlur,
    name,
    allowCustom = false,
    loading = false,
    onSearch,
    mono = false,
    ref,
  } = props
  const isLocked = Boolean(props.disabledReason)
  const ids = useFieldIds(props)
  const anchor = useRef<HTMLDivElement>(null)
  const { input, handlers, options, isOpen, at, setAt, choose, toggle, text } = useCombobox({
    items,
    value,
    allowCustom,
    isNarrowed: onSearch !== undefined,
    isLocked,
    onChange,
    onBlur,
    onSearch,
    ref,
  })
  const listId = `${ids.id}-list`
  const hint = allowCustom ? 'Select an option or enter a custom value' : 'Select an option'
  return (
    <FieldFrame field={props} ids={ids}>
      <div ref={anchor} className="relative">
        <input
          {...ids.control}
          {...handlers}
          ref={input}
          name={name}
          type="text"
          role="combobox"
          aria-autocomplete="list"
          aria-expanded={isOpen}
          aria-controls={isOpen ? listId : undefined}
          aria-activedescendant={isOpen && at >= 0 ? `${listId}-${at}` : undefined}
          value={text}
          placeholder={props.placeholder ?? hint}
          required={props.required}
          readOnly={isLocked}
          autoComplete="off"
          spellCheck={false}
          className={cx(
            'control-box h-control pr-9 pl-2.5 aria-disabled:cursor-not-allowed aria-disabled:text-tertiary',
            mono && 'mono',
          )}
        />
        <button
          type="button"
          tabIndex={-1}
          aria-label={`Show options of ${props.label}`}
          onMouseDown={(event) => event.preventDefault()}
          onClick={toggle}
          className="absolute inset-y-0 right-0 grid w-8 place-content-center text-tertiary hover:text-ink"
        >
          {loading ? <Spinner size={13} /> : <ChevronDown size={14} />}
        </button>
        {isOpen && (
          <OptionList
            id={listId}
            label={props.label}
            anchor={anchor}
            options={options}
            value={value}
            at={at}
            emptyText={loading ? 'Loading…' : 'No items match'}
            onPoint={setAt}
            onChoose={choose}
          />
        )}
      </div>
    </FieldFrame>
  )
}

import ChevronDown from 'lucide-react/icons/chevron-down'
import { type KeyboardEvent, type Ref, useEffect, useImperativeHandle, useMemo, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { Button } from 'react-aria-components/Button'
import { ComboBox } from 'react-aria-components/ComboBox'
import { Input } from 'react-aria-components/Input'
import { Label } from 'react-aria-components/Label'
import { ListBox, ListBoxItem } from 'react-aria-components/ListBox'
import { Popover } from 'react-aria-components/Popover'
import { ListLayout, Virtualizer } from 'react-aria-components/Virtualizer'
import { cx, matchesLoosely } from '../../lib/text.ts'
import { Spinner } from '../Spinner.tsx'
import { type Choice, ChoiceLine, choiceClass } from './choices.tsx'
import { FieldFrame, type FieldProps, useFieldIds } from './fieldParts.tsx'

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

// The list opens on focus, except when focus is put there by us: after a failed submit, or in a dialog just opened.
function useQuietFocus(ref: ComboboxFieldProps['ref']) {
  const input = useRef<HTMLInputElement>(null)
  const [isQuiet, setQuiet] = useState(true)
  useEffect(() => {
    const timer = window.setTimeout(() => setQuiet(false), 0)
    return () => window.clearTimeout(timer)
  }, [])
  useImperativeHandle(ref, () => ({
    focus: () => {
      flushSync(() => setQuiet(true))
      input.current?.focus()
    },
  }))
  return { input, isQuiet, rest: () => setQuiet(false) }
}

const withCustom = ({ items, value }: ComboboxFieldProps, typed: string): Choice[] => {
  const known = (text: string) => text === '' || items.some((item) => item.value === text || item.label === text)
  const kept = known(value) ? [] : [{ value, label: value }]
  const offered = known(typed) || typed === value ? [] : [{ value: typed, label: `Custom: ${typed}` }]
  return [...items, ...kept, ...offered]
}

export function ComboboxField(props: ComboboxFieldProps) {
  const { items, value, onChange, onBlur, name, allowCustom = false, onSearch, error } = props
  const ids = useFieldIds(props)
  const [typed, setTyped] = useState('')
  const [isOpen, setOpen] = useState(false)
  const { input, isQuiet, rest } = useQuietFocus(props.ref)
  const all = useMemo(() => (allowCustom ? withCustom(props, typed) : [...items]), [items, value, typed, allowCustom])
  const leave = () => {
    // Taken before the box puts the committed text back.
    if (allowCustom && typed !== '' && !items.some((item) => item.label === typed)) onChange(typed)
    rest()
    onBlur?.()
  }
  // Escape closes the list and goes no further; with the list closed it belongs to the dialog around.
  const keepEscape = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && isOpen) event.stopPropagation()
  }
  return (
    <div onKeyDown={keepEscape} className="contents">
      <ComboBox
        defaultItems={all}
        value={value === '' ? null : value}
        onChange={(key) => onChange(key === null ? '' : String(key))}
        onInputChange={(text) => {
          setTyped(text)
          onSearch?.(text)
        }}
        onOpenChange={setOpen}
        onBlur={leave}
        {...(name ? { name } : {})}
        defaultFilter={(text, query) => onSearch !== undefined || matchesLoosely(text, query)}
        menuTrigger={isQuiet ? 'input' : 'focus'}
        allowsEmptyCollection
        isDisabled={Boolean(props.disabledReason)}
        isInvalid={Boolean(error)}
        isRequired={props.required ?? false}
        validationBehavior="aria"
        {...ids.describedBy}
        className="contents"
      >
        <FieldFrame field={props} ids={ids} labelAs={Label}>
          <Box {...props} input={input} />
        </FieldFrame>
        <Popover offset={5} className="floating-box w-(--trigger-width) p-1 animate-appear">
          <Choices count={all.length} loading={props.loading ?? false} />
        </Popover>
      </ComboBox>
    </div>
  )
}

function Box({ allowCustom = false, placeholder, loading = false, mono = false, error, input }: ComboboxFieldProps & { input: Ref<HTMLInputElement> }) {
  const hint = allowCustom ? 'Select an option or enter a custom value' : 'Select an option'
  return (
    <div className="relative">
      <Input ref={input} placeholder={placeholder ?? hint} aria-invalid={error ? true : undefined} autoComplete="off" spellCheck={false} className={cx('control-box h-control pr-9 pl-2.5', mono && 'mono')} />
      <Button className="absolute inset-y-0 right-0 grid w-8 place-content-center text-tertiary outline-none hover:text-ink">
        {loading ? <Spinner size={13} /> : <ChevronDown size={14} />}
      </Button>
    </div>
  )
}

// A long list draws only what is seen; a short one may have lines of two heights.
function Choices({ count, loading }: { count: number; loading: boolean }) {
  const list = (
    <ListBox<Choice> renderEmptyState={() => <div className="px-2.5 py-1.5 text-secondary">{loading ? 'Loading…' : 'No items match'}</div>} className="max-h-72 overflow-y-auto outline-none">
      {(item) => (
        <ListBoxItem id={item.value} textValue={item.label.replace(/^Custom: /, '')} className={choiceClass}>
          <ChoiceLine choice={item} />
        </ListBoxItem>
      )}
    </ListBox>
  )
  if (count <= 100) return list
  return (
    <Virtualizer layout={ListLayout} layoutOptions={{ estimatedRowSize: 31 }}>
      {list}
    </Virtualizer>
  )
}

import Check from 'lucide-react/icons/check'
import ChevronDown from 'lucide-react/icons/chevron-down'
import { type KeyboardEvent, type Ref, useContext, useEffect, useEffectEvent, useRef } from 'react'
import { Button } from 'react-aria-components/Button'
import { ComboBox, ComboBoxStateContext } from 'react-aria-components/ComboBox'
import { Input } from 'react-aria-components/Input'
import { ListBox, ListBoxItem } from 'react-aria-components/ListBox'
import { Popover } from 'react-aria-components/Popover'
import { ListLayout, Virtualizer } from 'react-aria-components/Virtualizer'
import { cx } from '#/lib/text.ts'
import { afterScroll } from '#/ui/layout/afterScroll.ts'
import { Spinner } from '#/ui/feedback/Spinner.tsx'
import { type Choice, ChoiceLine, choiceClass } from './choices.tsx'
import { FieldFrame, type FieldProps, useFieldIds } from './fieldParts.tsx'
import { useCombobox } from './useCombobox.ts'

/** A text box with a list below it that is filtered while the user types, ignoring case and spaces. Text that is not an
 * item is put back on leaving, or kept where custom values are allowed. */
export interface ComboboxFieldProps extends FieldProps {
  items: readonly Choice[]
  value: string
  onChange: (value: string) => void
  onBlur?: (() => void) | undefined
  /** An option was chosen, after `onChange`: not a text that was typed and left. */
  onPick?: ((value: string) => void) | undefined
  name?: string | undefined
  placeholder?: string
  allowCustom?: boolean
  /** Items are still coming. */
  loading?: boolean
  /** Filter on the server: called with the text typed; the items given are then shown as they are. */
  onSearch?: (text: string) => void
  /** The one that is chosen, where it may not be among the items. */
  chosen?: Choice | undefined
  /** A hint that the server has more items: '150 more, keep typing to narrow them down'. */
  more?: string | undefined
  /** The list is about to be shown. */
  onOpen?: () => void
  mono?: boolean
  ref?: Ref<{ focus: () => void }> | undefined
}

/** Pixels: a line of text alone, and one with a second line below it. */
const rowHeights = { one: 31, two: 47 }

export function ComboboxField(props: ComboboxFieldProps) {
  const { allowCustom = false, loading = false } = props
  const ids = useFieldIds(props)
  const { options, edit, ...combobox } = useCombobox(props)
  // The library would put 'Suggestions' before the label.
  const name = { 'aria-label': props.label, 'aria-labelledby': '' }
  const hasSecondLine = options.some(({ description }) => Boolean(description))
  return (
    <ComboBox
      {...combobox}
      id={ids.id}
      // Not by the label on screen, which is hidden from assistive technology while the list is open.
      aria-label={props.units ? `${props.label} (${props.units})` : props.label}
      items={options}
      allowsCustomValue={allowCustom}
      allowsEmptyCollection
      menuTrigger="manual"
      onOpenChange={(isOpen) => isOpen && props.onOpen?.()}
      isReadOnly={Boolean(props.disabledReason)}
      isInvalid={Boolean(props.error)}
      isRequired={props.required ?? false}
      validationBehavior="aria"
      shouldFocusWrap
      {...ids.describedBy}
      className="contents"
    >
      <FieldFrame field={props} ids={ids}>
        <Box field={props} edit={edit} />
      </FieldFrame>
      <Popover
        offset={5}
        render={(box) => <div {...box} role="region" aria-label={`Options of ${props.label}`} />}
        className="floating-box w-[max(var(--trigger-width),16rem)] p-1 text-sm animate-appear"
      >
        <Virtualizer
          layout={ListLayout}
          layoutOptions={{ rowSize: hasSecondLine ? rowHeights.two : rowHeights.one }}
        >
          <ListBox {...name} className="max-h-72 overflow-y-auto outline-none">
            {(choice: Choice) => (
              <ListBoxItem id={choice.value} textValue={choice.label} className={cx(choiceClass, 'h-full')}>
                {({ isSelected }) => (
                  <>
                    <ChoiceLine choice={choice} />
                    {isSelected && <Check size={14} aria-hidden className="shrink-0" />}
                  </>
                )}
              </ListBoxItem>
            )}
          </ListBox>
        </Virtualizer>
        <div role="status" className="px-2.5 py-1.5 text-secondary empty:hidden">
          {options.length > 0 ? props.more : loading ? 'Loading…' : 'No items match'}
        </div>
      </Popover>
    </ComboBox>
  )
}

function Box({
  field,
  edit: { query, picks, drop, input, isQuiet },
}: {
  field: ComboboxFieldProps
  edit: ReturnType<typeof useCombobox>['edit']
}) {
  const state = useContext(ComboBoxStateContext)
  const isLocked = Boolean(field.disabledReason)
  const isLeaving = useRef(false)
  // While the user types, Enter takes the first match.
  useEffect(() => {
    if (state?.isOpen && query && !isLeaving.current && state.selectionManager.focusedKey === null)
      state.selectionManager.setFocusedKey(state.collection.getFirstKey())
  })
  // Also where the form takes the choice and empties the box.
  const close = useEffectEvent(() => state?.setOpen(false))
  useEffect(() => {
    if (picks > 0) close()
  }, [picks])
  const open = () => !isLocked && !state?.isOpen && state?.open(null, 'manual')
  const openSettled = async () => {
    await afterScroll()
    if (document.activeElement === input.current) open()
  }
  const onFocus = () => {
    isLeaving.current = false
    if (!state?.isFocused && !isQuiet()) void openSettled()
  }
  // Tab keeps what was typed; it does not take the marked option.
  const onKeyDownCapture = (event: KeyboardEvent) => {
    isLeaving.current = event.key === 'Tab'
    if (isLeaving.current) state?.selectionManager.setFocusedKey(null)
    // While the matches are on their way, Enter would close the list with nothing chosen.
    const isEarly = state?.isOpen && query && state.selectionManager.focusedKey === null
    if (event.key !== 'Enter' || !isEarly || field.allowCustom) return
    event.preventDefault()
    event.stopPropagation()
  }
  // Escape with an open list closes the list only; the next one belongs to the dialog around.
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.altKey && event.key === 'ArrowDown') {
      event.preventDefault()
      open()
    }
    if (event.key !== 'Escape' || !state?.isOpen) return
    event.stopPropagation()
    drop()
  }
  const hint = field.allowCustom ? 'Select an option or enter a custom value' : 'Select an option'
  return (
    <div className="relative">
      <Input
        ref={input}
        placeholder={field.placeholder ?? hint}
        aria-disabled={isLocked || undefined}
        spellCheck={false}
        onFocus={onFocus}
        onClick={() => void openSettled()}
        onInput={open}
        onKeyDownCapture={onKeyDownCapture}
        onKeyDown={onKeyDown}
        className={cx(
          'control-box h-control pr-9 pl-2.5 aria-disabled:cursor-not-allowed aria-disabled:text-tertiary',
          field.mono && 'mono',
        )}
      />
      <Button
        aria-label={`Show options of ${field.label}`}
        className="absolute inset-y-0 right-0 grid w-8 place-content-center text-tertiary hover:text-ink"
      >
        {field.loading ? <Spinner size={13} /> : <ChevronDown size={14} />}
      </Button>
    </div>
  )
}

import ChevronDown from 'lucide-react/icons/chevron-down'
import type { Ref } from 'react'
import { Button } from 'react-aria-components/Button'
import { Label } from 'react-aria-components/Label'
import { ListBox, ListBoxItem } from 'react-aria-components/ListBox'
import { Popover } from 'react-aria-components/Popover'
import { Select, SelectValue } from 'react-aria-components/Select'
import { cx } from '#/lib/text.ts'
import { Spinner } from '#/ui/feedback/Spinner.tsx'
import { useMinimumTime } from '#/ui/feedback/useMinimumTime.ts'
import { type Choice, ChoiceLine, choiceClass } from './choices.tsx'
import { FieldFrame, type FieldProps, useFieldIds } from './fieldParts.tsx'

/** A button that opens a list to choose one item from. An empty list reads 'No items', unless it cannot be opened now. */
export interface ListboxFieldProps extends FieldProps {
  items: readonly Choice[]
  value: string
  onChange: (value: string) => void
  onBlur?: (() => void) | undefined
  name?: string | undefined
  placeholder?: string
  loading?: boolean
  /** Show the control alone; the label is still its accessible name. */
  hideLabel?: boolean
  size?: 'medium' | 'small'
  ref?: Ref<HTMLButtonElement> | undefined
}

export function ListboxField(props: ListboxFieldProps) {
  const { items, value, onChange, onBlur, name, loading = false, hideLabel = false, error } = props
  const ids = useFieldIds(props)
  const isLoading = useMinimumTime(loading, 500)
  const control = <Trigger {...props} isLoading={isLoading} />
  return (
    <Select
      value={value === '' ? null : value}
      onChange={(key) => onChange(key === null ? '' : String(key))}
      onBlur={() => onBlur?.()}
      {...(name ? { name } : {})}
      isDisabled={Boolean(props.disabledReason) || isLoading || items.length === 0}
      isInvalid={Boolean(error)}
      isRequired={props.required ?? false}
      validationBehavior="aria"
      {...ids.describedBy}
      {...(hideLabel ? { 'aria-label': props.label } : {})}
      className={hideLabel ? cx('inline-block', props.className) : 'contents'}
    >
      {hideLabel ? (
        control
      ) : (
        <FieldFrame field={props} ids={ids} labelAs={Label}>
          {control}
        </FieldFrame>
      )}
      <Popover
        offset={5}
        placement="bottom start"
        className="floating-box min-w-(--trigger-width) max-w-[26rem] overflow-y-auto p-1 outline-none animate-appear"
      >
        <ListBox items={items} className="max-h-72 overflow-y-auto outline-none">
          {(item) => (
            <ListBoxItem id={item.value} textValue={item.label} className={choiceClass}>
              <ChoiceLine choice={item} />
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </Select>
  )
}

function Trigger({
  items,
  value,
  placeholder = 'Select an option',
  size = 'medium',
  error,
  disabledReason,
  isLoading,
  ref,
}: ListboxFieldProps & { isLoading: boolean }) {
  const chosen = items.find((item) => item.value === value)
  const text = chosen
    ? (chosen.selectedLabel ?? chosen.label)
    : items.length === 0 && !isLoading && !disabledReason
      ? 'No items'
      : placeholder
  const height = size === 'small' ? 'h-control-sm min-h-0! bg-raised! border-line! text-hint' : 'h-control'
  return (
    <Button
      {...(ref ? { ref } : {})}
      {...(error ? { 'data-invalid': true } : {})}
      className={cx('control-box flex items-center gap-2 px-2.5 text-left', height)}
    >
      <SelectValue className={cx('min-w-0 grow truncate', !chosen && 'text-tertiary')}>
        {() => text}
      </SelectValue>
      {isLoading ? <Spinner size={13} /> : <ChevronDown size={14} className="shrink-0 text-tertiary" />}
    </Button>
  )
}

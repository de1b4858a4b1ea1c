import type { Ref } from 'react'
import { cx } from '#/lib/text.ts'
import { CopyButton } from '#/ui/button/CopyButton.tsx'
import { FieldFrame, type FieldProps, useFieldIds } from './fieldParts.tsx'

/** A text field of several lines. */
export interface TextAreaFieldProps extends FieldProps {
  value: string
  onChange: (value: string) => void
  onBlur?: (() => void) | undefined
  name?: string | undefined
  rows?: number
  placeholder?: string
  mono?: boolean
  transform?: (value: string) => string
  copyable?: boolean
  readOnly?: boolean
  ref?: Ref<HTMLTextAreaElement> | undefined
}

export function TextAreaField(props: TextAreaFieldProps) {
  const {
    value,
    onChange,
    onBlur,
    name,
    rows = 3,
    placeholder,
    mono = false,
    transform = (text) => text,
    copyable = false,
    readOnly = false,
    ref,
  } = props
  const ids = useFieldIds(props)
  return (
    <FieldFrame field={props} ids={ids}>
      <div className="relative">
        <textarea
          {...ids.control}
          ref={ref}
          name={name}
          rows={rows}
          value={value}
          placeholder={placeholder}
          required={props.required}
          readOnly={readOnly || Boolean(props.disabledReason)}
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => onChange(transform(event.target.value))}
          onBlur={onBlur}
          className={cx(
            'control-box block resize-y px-2.5 py-1.5 leading-normal aria-disabled:cursor-not-allowed aria-disabled:text-tertiary',
            // As written: ligatures join signs and change their width.
            mono && 'mono [font-variant-ligatures:none]',
            copyable && 'pr-9',
          )}
        />
        {copyable && <CopyButton text={value} className="absolute top-1.5 right-2" />}
      </div>
    </FieldFrame>
  )
}

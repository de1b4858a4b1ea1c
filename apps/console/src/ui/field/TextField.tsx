import type { ClipboardEventHandler, HTMLInputAutoCompleteAttribute, ReactNode, Ref } from 'react'
import { lazily } from '#/lib/lazily.tsx'
import { cx } from '#/lib/text.ts'
import { FieldFrame, type FieldProps, useFieldIds } from './fieldParts.tsx'

const CopyButton = lazily(() => import('#/ui/button/CopyButton.tsx'), 'CopyButton')

/** A one-line text field. */
export interface TextFieldProps extends FieldProps {
  value: string
  onChange: (value: string) => void
  onBlur?: (() => void) | undefined
  name?: string | undefined
  type?: 'text' | 'password' | 'email' | 'url' | 'search' | 'time' | 'datetime-local'
  placeholder?: string
  /** Machine-set: for names, addresses, ids. */
  mono?: boolean
  autoComplete?: HTMLInputAutoCompleteAttribute
  /** Changes what is typed before it is taken, for instance long dashes to hyphens. */
  transform?: (value: string) => string
  copyable?: boolean
  /** Called on Enter, which then does not submit the form. */
  onEnter?: () => void
  onPaste?: ClipboardEventHandler<HTMLInputElement> | undefined
  /** Shown inside the box at its right end. */
  suffix?: ReactNode
  ref?: Ref<HTMLInputElement> | undefined
}

export function TextField(props: TextFieldProps) {
  const {
    value,
    onChange,
    onBlur,
    name,
    type = 'text',
    placeholder,
    mono = false,
    autoComplete = 'off',
    transform = (text) => text,
    copyable = false,
    onEnter,
    suffix,
    ref,
  } = props
  const ids = useFieldIds(props)
  const hasSuffix = copyable || suffix !== undefined
  return (
    <FieldFrame field={props} ids={ids}>
      <div className="relative">
        <input
          {...ids.control}
          ref={ref}
          name={name}
          type={type}
          value={value}
          placeholder={placeholder}
          required={props.required}
          readOnly={Boolean(props.disabledReason)}
          autoComplete={autoComplete}
          spellCheck={false}
          // Password managers take a field called 'name' for a user name.
          data-1p-ignore={autoComplete === 'off' || undefined}
          data-lpignore={autoComplete === 'off' ? 'true' : undefined}
          onChange={(event) => onChange(transform(event.target.value))}
          onBlur={onBlur}
          onPaste={props.onPaste}
          onKeyDown={(event) => {
            if (!onEnter || event.key !== 'Enter') return
            event.preventDefault()
            onEnter()
          }}
          className={cx(
            'control-box h-control px-2.5 aria-disabled:cursor-not-allowed aria-disabled:text-tertiary',
            mono && 'mono',
            hasSuffix && 'pr-12',
          )}
        />
        {hasSuffix && (
          <span className="absolute inset-y-0 right-2 flex items-center gap-1 text-hint text-tertiary">
            {suffix}
            {copyable && <CopyButton text={value} />}
          </span>
        )}
      </div>
    </FieldFrame>
  )
}

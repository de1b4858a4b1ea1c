import { type ButtonHTMLAttributes, type MouseEvent, type ReactNode, type Ref, useId } from 'react'
import { cx } from '#/lib/text.ts'
import { Spinner } from '../feedback/Spinner.tsx'
import { Tooltip } from '../overlay/Tooltip.tsx'

/** One primary per view; danger for irreversible actions; ghost for secondary ones such as Cancel. */
export type ButtonVariant = 'primary' | 'secondary' | 'danger' | 'ghost'
/** 32 px or 26 px high. */
export type ButtonSize = 'medium' | 'small'

const variants: Record<ButtonVariant, string> = {
  primary: 'border-transparent bg-accent text-on-accent hover:not-aria-disabled:bg-accent-hover',
  secondary:
    'border-line bg-raised text-ink hover:not-aria-disabled:bg-hover hover:not-aria-disabled:border-line-strong',
  danger:
    'border-danger/40 bg-transparent text-danger hover:not-aria-disabled:bg-danger-soft hover:not-aria-disabled:border-danger/60',
  ghost:
    'border-transparent bg-transparent text-secondary hover:not-aria-disabled:bg-hover hover:not-aria-disabled:text-ink',
}
const sizes: Record<ButtonSize, string> = {
  medium: 'h-control px-3 gap-[7px]',
  small: 'h-control-sm px-2 gap-1.5 text-hint',
}

/** The classes of a button, for other elements (see LinkButton). */
export const buttonClass = (variant: ButtonVariant = 'secondary', size: ButtonSize = 'medium'): string =>
  cx(
    'relative inline-flex shrink-0 select-none items-center justify-center rounded-md border font-medium whitespace-nowrap transition-colors duration-(--fast)',
    'aria-disabled:cursor-not-allowed aria-disabled:not-aria-busy:border-line aria-disabled:not-aria-busy:bg-sunken aria-disabled:not-aria-busy:text-tertiary',
    variants[variant],
    sizes[size],
  )

/** A button. `pending` shows a spinner in place of the text and ignores clicks; `disabledReason` keeps the
 * button focusable, ignores clicks and shows why. There is no bare `disabled`: a disabled control says why. */
export interface ButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'disabled'> {
  variant?: ButtonVariant
  size?: ButtonSize
  pending?: boolean
  disabledReason?: ReactNode
  icon?: ReactNode
  ref?: Ref<HTMLButtonElement> | undefined
}

export function Button({
  variant = 'secondary',
  size = 'medium',
  pending = false,
  disabledReason,
  icon,
  className,
  children,
  onClick,
  type = 'button',
  ...rest
}: ButtonProps) {
  const id = useId()
  const isDisabled = Boolean(disabledReason)
  const isInert = isDisabled || pending
  const press = (event: MouseEvent<HTMLButtonElement>) => {
    if (!isInert) return onClick?.(event)
    event.preventDefault()
    event.stopPropagation()
  }
  const button = (
    <button
      {...rest}
      type={type}
      onClick={press}
      // The spinner has a separate name, which is not part of the button's.
      aria-labelledby={pending && !rest['aria-label'] ? id : rest['aria-labelledby']}
      aria-disabled={isInert || undefined}
      aria-busy={pending || undefined}
      className={cx(buttonClass(variant, size), className)}
    >
      <span id={id} className={cx('inline-flex items-center gap-[inherit]', pending && 'opacity-0')}>
        {icon}
        {children}
      </span>
      {pending && <Spinner className="absolute" />}
    </button>
  )
  return isDisabled ? <Tooltip content={disabledReason}>{button}</Tooltip> : button
}

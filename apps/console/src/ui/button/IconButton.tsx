import type { ButtonHTMLAttributes, ReactNode, Ref } from 'react'
import { cx } from '#/lib/text.ts'

/** A square button that holds one icon; `label` is its accessible name and `title` tooltip is the caller's choice. */
export interface IconButtonProps extends Omit<
  ButtonHTMLAttributes<HTMLButtonElement>,
  'aria-label' | 'disabled'
> {
  label: string
  children: ReactNode
  size?: 'medium' | 'small' | 'tiny'
  ref?: Ref<HTMLButtonElement> | undefined
}

const sizes = { medium: 'size-8', small: 'size-6.5', tiny: 'size-6' }

/** The classes of a button with an icon, for a link that looks like one. */
export const iconButtonClass = (size: keyof typeof sizes, className?: string): string =>
  cx(
    'inline-grid shrink-0 place-content-center rounded-md text-secondary transition-colors duration-(--fast) hover:bg-hover hover:text-ink aria-disabled:cursor-not-allowed aria-disabled:text-tertiary aria-expanded:bg-hover aria-expanded:text-ink',
    sizes[size],
    className,
  )

export function IconButton({ label, size = 'medium', className, type = 'button', ...rest }: IconButtonProps) {
  return <button {...rest} type={type} aria-label={label} className={iconButtonClass(size, className)} />
}

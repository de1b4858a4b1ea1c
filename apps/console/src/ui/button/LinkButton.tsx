import { cx } from '#/lib/text.ts'
import { buttonClass, type ButtonSize, type ButtonVariant } from './Button.tsx'
import { UiLink, type UiLinkProps } from './link.tsx'

/** A link that looks like a button, for what leads somewhere rather than does something. */
export function LinkButton({
  variant = 'secondary',
  size = 'medium',
  className,
  ...props
}: UiLinkProps & { variant?: ButtonVariant; size?: ButtonSize }) {
  return <UiLink {...props} className={cx(buttonClass(variant, size), className)} />
}

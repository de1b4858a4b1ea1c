import { CutText } from './CutText.tsx'
import { UiLink, type UiLinkProps } from '#/ui/button/link.tsx'

/** The name cell of a row: a link that fills its whole cell. */
export function CellLink({ children, ...props }: UiLinkProps) {
  const link = (
    <UiLink
      {...props}
      className="font-medium text-ink outline-none before:absolute before:inset-0 before:rounded-sm hover:text-accent-text focus-visible:before:outline-2 focus-visible:before:-outline-offset-2 focus-visible:before:outline-focus"
    >
      {children}
    </UiLink>
  )
  return typeof children === 'string' ? <CutText text={children}>{link}</CutText> : link
}

import type { ReactNode } from 'react'
import { Button } from '#/ui/button/Button.tsx'
import { LinkButton } from '#/ui/button/LinkButton.tsx'

/** A link to a form that looks like a button; with a `disabledReason` it is a disabled button that shows the reason. */
export function GuardedLink({
  href,
  disabledReason,
  children,
}: {
  href: string
  disabledReason: string | undefined
  children: ReactNode
}) {
  if (disabledReason) {
    return (
      <Button variant="primary" disabledReason={disabledReason}>
        {children}
      </Button>
    )
  }
  return (
    <LinkButton variant="primary" href={href}>
      {children}
    </LinkButton>
  )
}

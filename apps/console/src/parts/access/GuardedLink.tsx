import type { ReactNode } from 'react'
import { Button } from '../../ui/Button.tsx'
import { LinkButton } from '../../ui/LinkButton.tsx'

/** The link to a form that makes something; with a reason, a button in its place that says why it leads nowhere. */
export function GuardedLink({
  href,
  refused,
  children,
}: {
  href: string
  refused: string | undefined
  children: ReactNode
}) {
  if (refused) {
    return (
      <Button variant="primary" disabledReason={refused}>
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

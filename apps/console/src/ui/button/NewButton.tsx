import Plus from 'lucide-react/icons/plus'
import type { ReactNode } from 'react'
import { Button, type ButtonVariant } from './Button.tsx'
import { LinkButton } from './LinkButton.tsx'

type NewButtonProps = {
  variant?: ButtonVariant
  disabledReason?: ReactNode
  /** 'New disk', 'Add SSH key' */
  children: string
} & ({ href: string } | { onClick: () => void })

/** The button for another row of a list, with the sign that all of them have: leads to a form or opens a dialog. */
export function NewButton({ variant = 'primary', disabledReason, children, ...act }: NewButtonProps) {
  const content = (
    <>
      <Plus size={14} aria-hidden />
      {children}
    </>
  )
  if (disabledReason || !('href' in act))
    return (
      <Button variant={variant} disabledReason={disabledReason} {...act}>
        {content}
      </Button>
    )
  return (
    <LinkButton variant={variant} href={act.href}>
      {content}
    </LinkButton>
  )
}

import { errorAnchor, guides } from '#/lib/addresses.ts'
import { cx } from '#/lib/text.ts'
import { CopyButton } from '../button/CopyButton.tsx'
import { ExternalLink } from '../button/link.tsx'

export interface RequestIdProps {
  id: string
  /** The code of the error, which the guide explains. */
  code?: string | undefined
  className?: string
}

/** The id of a failed call, to be copied into a message to the cloud's operator, and the guide to errors. */
export function RequestId({ id, code, className }: RequestIdProps) {
  const { href } = guides.troubleshooting
  return (
    <span className={cx('flex items-center gap-1.5 text-hint text-secondary', className)}>
      <span className="shrink-0">Request ID</span>
      <code className="mono truncate">{id}</code>
      <CopyButton text={id} label="Copy request ID" />
      <ExternalLink href={code ? `${href}#${errorAnchor(code)}` : href}>Troubleshooting</ExternalLink>
    </span>
  )
}

import { guides } from '#/lib/addresses.ts'
import { cx } from '#/lib/text.ts'
import { CopyButton } from '../button/CopyButton.tsx'
import { ExternalLink } from '../button/link.tsx'

/** The id of a failed call, to be copied into a message to the cloud's operator, and the guide to errors. */
export function RequestId({ id, className }: { id: string; className?: string }) {
  return (
    <span className={cx('flex items-center gap-1.5 text-hint text-secondary', className)}>
      <span className="shrink-0">Request ID</span>
      <code className="mono truncate">{id}</code>
      <CopyButton text={id} label="Copy request ID" />
      <ExternalLink href={guides.troubleshooting.href}>Troubleshooting</ExternalLink>
    </span>
  )
}

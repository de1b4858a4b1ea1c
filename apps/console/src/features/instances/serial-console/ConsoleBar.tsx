import ArrowDownToLine from 'lucide-react/icons/arrow-down-to-line'
import ArrowLeft from 'lucide-react/icons/arrow-left'
import ArrowUpToLine from 'lucide-react/icons/arrow-up-to-line'
import Download from 'lucide-react/icons/download'
import Copy from 'lucide-react/icons/copy'
import type { Ref } from 'react'
import { isApple, shortcutText } from '#/lib/platform.ts'
import type { InstanceTarget } from '#/features/instance-state/update.ts'
import { paths } from '#/lib/addresses.ts'
import { Badge } from '#/ui/value/Badge.tsx'
import { IconButton } from '#/ui/button/IconButton.tsx'
import { LinkButton } from '#/ui/button/LinkButton.tsx'
import { Tooltip } from '#/ui/overlay/Tooltip.tsx'
import { CliCommandButton } from '#/features/instances/CliCommandButton.tsx'
import { Spinner } from '#/ui/feedback/Spinner.tsx'
import { useLogDownload } from './useLogDownload.ts'
import { keysHintId, type ConsoleStatus } from './statusOf.ts'

/** The status of the connection, at the end of a bar. */
export const ConnectionStatus = ({ badge }: Pick<ConsoleStatus, 'badge'>) => (
  <span role="status" className="ml-auto">
    <Badge tone={badge.tone} dot>
      {badge.text}
    </Badge>
  </span>
)

/** The link back and the title of the page. */
export function BackBar({ target, title }: { target: InstanceTarget; title: string }) {
  return (
    <div className="flex shrink-0 items-center gap-3 border-b border-line-faint px-3 py-1.5 frame:px-5">
      <LinkButton variant="ghost" size="small" href={paths.instance(target)} className="-ml-2">
        <ArrowLeft size={14} aria-hidden />
        Back to instance
      </LinkButton>
      <h1 tabIndex={-1} className="ml-auto truncate text-secondary outline-none">
        {title} of <span className="font-medium text-ink">{target.instance}</span>
      </h1>
    </div>
  )
}

export interface ConsoleBarProps {
  target: InstanceTarget
  badge: ConsoleStatus['badge']
  /** The terminal is visible. */
  isShown: boolean
  hasSelection: boolean
  onCopy: () => void
  onScroll: (to: 'top' | 'bottom') => void
  ref?: Ref<HTMLDivElement>
}

const ends = [
  { to: 'top', label: 'Scroll to top', Icon: ArrowUpToLine },
  { to: 'bottom', label: 'Scroll to bottom', Icon: ArrowDownToLine },
] as const

/** The bar below the terminal: its actions and the status of the connection. */
export function ConsoleBar({ target, badge, isShown, hasSelection, onCopy, onScroll, ref }: ConsoleBarProps) {
  const log = useLogDownload(target)
  return (
    <div
      ref={ref}
      className="flex shrink-0 flex-wrap items-center gap-2 border-t border-line-faint px-3 py-2 frame:px-5"
    >
      <CliCommandButton target={target} />
      {isShown && (
        <>
          <Tooltip content={hasSelection ? 'Copy selection' : 'Select text in the terminal first'}>
            <IconButton
              label="Copy selection"
              size="small"
              aria-disabled={!hasSelection || undefined}
              onClick={() => hasSelection && onCopy()}
            >
              <Copy size={14} aria-hidden />
            </IconButton>
          </Tooltip>
          {ends.map(({ to, label, Icon }) => (
            <Tooltip key={to} content={label} describes={false}>
              <IconButton label={label} size="small" onClick={() => onScroll(to)}>
                <Icon size={14} aria-hidden />
              </IconButton>
            </Tooltip>
          ))}
          <Tooltip content="Download the log: all output since the start that the server keeps">
            <IconButton
              label="Download log"
              size="small"
              aria-disabled={log.isReading || undefined}
              onClick={log.save}
            >
              {log.isReading ? <Spinner /> : <Download size={14} aria-hidden />}
            </IconButton>
          </Tooltip>
          <span id={keysHintId} className="text-hint text-secondary max-split:sr-only">
            {shortcutText('F6')} leaves the terminal, {isApple() ? '⌘V' : 'Ctrl Shift V'} pastes
          </span>
        </>
      )}
      <ConnectionStatus badge={badge} />
    </div>
  )
}

import Clipboard from 'lucide-react/icons/clipboard'
import Keyboard from 'lucide-react/icons/keyboard'
import Maximize from 'lucide-react/icons/maximize'
import Minimize from 'lucide-react/icons/minimize'
import type { Ref } from 'react'
import { shortcutText } from '#/lib/platform.ts'
import { Button } from '#/ui/button/Button.tsx'
import { MenuButton } from '#/ui/overlay/MenuButton.tsx'
import { ConnectionStatus } from '../serial-console/ConsoleBar.tsx'
import type { ConsoleStatus } from '../serial-console/statusOf.ts'
import { keyMenu } from './keys.ts'

export interface ScreenBarProps {
  badge: ConsoleStatus['badge']
  /** The screen is connected. */
  isLive: boolean
  /** Why the user may only watch. */
  watchReason: string | undefined
  isScaled: boolean
  isFull: boolean
  onKeys: (codes: readonly string[]) => void
  onPaste: () => void
  onScale: () => void
  onFull: () => void
  ref?: Ref<HTMLDivElement>
}

/** The bar below the screen: what one does to it, and the status of the connection. */
export function ScreenBar({ badge, isLive, watchReason, isScaled, isFull, ref, ...on }: ScreenBarProps) {
  const sections = keyMenu.map(({ title, keys }) => ({
    title,
    items: keys.map(({ label, codes }) => ({ label, onAction: () => on.onKeys(codes) })),
  }))
  const Size = isFull ? Minimize : Maximize
  return (
    <div
      ref={ref}
      className="flex shrink-0 flex-wrap items-center gap-2 border-t border-line-faint bg-page px-3 py-2 frame:px-5"
    >
      {isLive && watchReason === undefined && (
        <>
          <MenuButton size="small" sections={sections}>
            <Keyboard size={14} aria-hidden />
            Send keys
          </MenuButton>
          <Button size="small" onClick={on.onPaste}>
            <Clipboard size={14} aria-hidden />
            Paste text
          </Button>
        </>
      )}
      {isLive && (
        <>
          <Button size="small" onClick={on.onScale}>
            {isScaled ? 'Actual size' : 'Fit to window'}
          </Button>
          <Button size="small" onClick={on.onFull}>
            <Size size={14} aria-hidden />
            {isFull ? 'Leave full screen' : 'Full screen'}
          </Button>
          <span className="text-hint text-secondary max-split:sr-only">
            {watchReason === undefined
              ? `${shortcutText('F6')} leaves the screen`
              : `View only: ${watchReason}`}
          </span>
        </>
      )}
      <ConnectionStatus badge={badge} />
    </div>
  )
}

import Search from 'lucide-react/icons/search'
import { shortcutText } from '#/lib/platform.ts'
import { cx } from '#/lib/text.ts'
import { Kbd } from '#/ui/value/Kbd.tsx'

/** 'Jump to' and its shortcut; opens the command palette. */
export function JumpButton({ onPress, className }: { onPress: () => void; className?: string }) {
  return (
    <button
      type="button"
      onClick={onPress}
      className={cx(
        'flex h-control w-full shrink-0 items-center gap-2 rounded-md border border-line bg-sunken px-2.5 text-secondary hover:border-line-strong hover:text-ink',
        className,
      )}
    >
      <Search size={14} aria-hidden />
      Jump to
      <Kbd className="ml-auto">{shortcutText('K')}</Kbd>
    </button>
  )
}

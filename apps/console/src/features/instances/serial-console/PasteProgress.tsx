import { useStore } from '#/lib/store.ts'
import { Button } from '#/ui/button/Button.tsx'
import { ProgressBar } from '#/ui/feedback/ProgressBar.tsx'
import type { ConsoleSession } from './ConsoleSession.ts'

/** How much of a long paste the guest has got, with the button that stops it. Does not render the page again. */
export function PasteProgress({
  session,
  onStopped,
}: {
  session: Pick<ConsoleSession, 'pasting' | 'stopPasting'>
  onStopped: () => void
}) {
  const percent = useStore(session.pasting)
  if (percent === undefined) return null
  const stop = () => {
    session.stopPasting()
    onStopped()
  }
  return (
    <div className="flex shrink-0 items-center gap-3 border-t border-line bg-raised px-3 py-1.5 frame:px-5">
      <span>Pasting</span>
      <div className="max-w-64 grow">
        <ProgressBar label="Paste" percent={percent} />
      </div>
      <span className="mono w-9 text-right">{percent}%</span>
      <Button size="small" onClick={stop}>
        Stop pasting
      </Button>
    </div>
  )
}

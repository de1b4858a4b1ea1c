import X from 'lucide-react/icons/x'
import { useState } from 'react'
import { transport } from '#/api/transport.ts'
import { IconButton } from '#/ui/button/IconButton.tsx'
import { lazily } from '#/lib/lazily.tsx'

const PreviewDialog = lazily(() => import('../dialogs/PreviewDialog.tsx'), 'PreviewDialog')

/** The banner of the preview. */
export function PreviewBanner() {
  const [state, setState] = useState<'shown' | 'dialog' | 'closed'>('shown')
  if (!transport().preview || state === 'closed') return null
  return (
    <div className="flex h-10 shrink-0 items-center justify-center gap-3 border-b border-line bg-note-soft px-4 text-note">
      <span>This is a technical preview.</span>
      <button
        type="button"
        className="font-medium underline underline-offset-2"
        onClick={() => setState('dialog')}
      >
        Learn more
      </button>
      <IconButton label="Close" size="small" className="absolute right-3" onClick={() => setState('closed')}>
        <X size={14} />
      </IconButton>
      {state === 'dialog' && <PreviewDialog onDismiss={() => setState('shown')} />}
    </div>
  )
}

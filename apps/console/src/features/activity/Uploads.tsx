import { useState } from 'react'
import { useStore } from '#/lib/store.ts'
import { formatSize } from '#/lib/format.ts'
import { CancelDialog } from '#/features/images/upload/CancelDialog.tsx'
import { Leftovers } from '#/features/images/upload/Leftovers.tsx'
import { backgroundUploads, type BackgroundUpload } from '#/features/images/upload/transfer/background.ts'
import { percentOf, pauses } from '#/features/images/upload/ProgressDialog.tsx'
import { stepIndex, steps, type UploadState } from '#/features/images/upload/state.ts'
import { timeLeft } from '#/features/images/upload/transfer/transferRate.ts'
import { Button } from '#/ui/button/Button.tsx'
import { Controls, Entry } from './Entry.tsx'

/** The uploads of this page that continue without their form. */
export function Uploads() {
  return useStore(backgroundUploads).map((running) => (
    <UploadEntry key={running.upload.diskName} running={running} />
  ))
}

function UploadEntry({ running }: { running: BackgroundUpload }) {
  const { upload, plan, details } = running
  const state = useStore({ subscribe: upload.subscribe, get: () => upload.state })
  const title = `Upload image ${details.name}`
  const { stage, done } = state
  const hasEnded = stage.at === 'done' || stage.at === 'cancelled'
  return (
    <Entry
      title={title}
      percent={hasEnded ? undefined : percentOf(done, plan.file.size)}
      isHeld={stage.at !== 'running'}
    >
      <p role="status" className={stage.at === 'failed' ? 'text-danger' : 'text-secondary'}>
        {wordsOf(state, plan.file)}
      </p>
      {hasEnded && (
        <Leftovers
          leftovers={stage.leftovers}
          onRetry={async () => {
            await upload.removeLeftovers()
            const { stage: now } = upload.state
            if ((now.at === 'done' || now.at === 'cancelled') && now.leftovers.length === 0) running.forget()
          }}
        />
      )}
      <UploadControls running={running} state={state} title={title} />
    </Entry>
  )
}

function wordsOf(state: UploadState, { name, size }: File): string {
  const { stage, step, done, speed, isComparing } = state
  if (stage.at === 'failed') return `${steps[step]?.label ?? 'Upload'} failed: ${stage.problem.message}`
  if (stage.at === 'paused') return `${pauses[stage.reason].title}. ${pauses[stage.reason].text}`
  if (stage.at === 'removing') return 'What was uploaded is being deleted'
  if (stage.at === 'cancelled') return 'Canceled'
  if (stage.at === 'done') return 'Done'
  if (isComparing) return 'Comparing the file with the interrupted upload'
  if (step !== stepIndex('sendFile')) return steps[step]?.label ?? ''
  const left = timeLeft(size - done, speed)
  return [
    `${name}: ${formatSize(done)} of ${formatSize(size)}`,
    ...(speed === undefined ? [] : [`${formatSize(Math.round(speed))}/s`]),
    ...(left ? [left] : []),
  ].join(' · ')
}

interface UploadControlsProps {
  running: BackgroundUpload
  state: UploadState
  title: string
}

function UploadControls({ running, state, title }: UploadControlsProps) {
  const [isAsking, setAsking] = useState(false)
  const { upload, again, cancel } = running
  const { at } = state.stage
  const isCleaningUp = state.step >= stepIndex('cleanUp')
  const isUnderWay = at === 'running' || at === 'paused' || at === 'failed'
  return (
    <Controls>
      {at === 'running' && !isCleaningUp && (
        <Button size="small" aria-label={`Pause: ${title}`} onClick={() => upload.pause()}>
          Pause
        </Button>
      )}
      {at === 'paused' && (
        <Button size="small" aria-label={`Resume: ${title}`} onClick={() => upload.resume()}>
          Resume
        </Button>
      )}
      {at === 'failed' && (
        <Button size="small" aria-label={`Try again: ${title}`} onClick={again}>
          Try again
        </Button>
      )}
      {isUnderWay && !isCleaningUp && (
        <Button size="small" aria-label={`Cancel: ${title}`} onClick={() => setAsking(true)}>
          Cancel
        </Button>
      )}
      {isAsking && isUnderWay && (
        <CancelDialog
          onStay={() => setAsking(false)}
          onCancel={() => {
            setAsking(false)
            cancel()
          }}
        />
      )}
    </Controls>
  )
}

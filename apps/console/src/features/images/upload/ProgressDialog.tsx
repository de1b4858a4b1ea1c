import { formatSize, sizeParts } from '#/lib/format.ts'
import { shorten } from '#/lib/text.ts'
import { Button } from '#/ui/button/Button.tsx'
import { FormErrorBanner } from '#/ui/form/FormErrorBanner.tsx'
import { Modal, ModalSection } from '#/ui/overlay/Modal.tsx'
import { Notice } from '#/ui/feedback/Notice.tsx'
import { ProgressBar } from '#/ui/feedback/ProgressBar.tsx'
import { Leftovers } from './Leftovers.tsx'
import { timeLeft } from './transfer/transferRate.ts'
import { stepIndex, steps, type UploadState } from './state.ts'
import { StepList } from './StepList.tsx'
import type { PauseReason } from './transfer/pauseControl.ts'

export interface ProgressDialogProps {
  state: UploadState
  file: File
  on: {
    cancel: () => void
    /** Continues without the form. */
    hide: () => void
    pause: () => void
    resume: () => void
    again: () => void
    back: () => void
    done: () => void
    removeLeftovers: () => Promise<void> | void
  }
}

/** The progress of an upload. Dismissing it cancels, goes back or finishes, depending on the stage. */
export function ProgressDialog({ state, file, on }: ProgressDialogProps) {
  const { stage, step } = state
  const isCleaningUp = step >= stepIndex('cleanUp')
  const dismiss = () => {
    if (stage.at === 'failed') on.back()
    else if (stage.at === 'done') on.done()
    else if (!isCleaningUp) on.cancel()
  }
  return (
    <Modal title="Image upload progress" dims onDismiss={dismiss} footer={<Footer state={state} on={on} />}>
      <ModalSection className="text-sm text-ink">
        <div>
          <FormErrorBanner issues={stage.at === 'failed' ? [stage.problem] : []} className="mb-3" />
          {stage.at === 'paused' && <Paused reason={stage.reason} />}
          {stage.at === 'done' && (
            <div className="not-empty:mb-3">
              <Leftovers leftovers={stage.leftovers} onRetry={on.removeLeftovers} />
            </div>
          )}
          <StepList state={state}>
            <Bytes state={state} file={file} />
          </StepList>
        </div>
        <p role="status" className="sr-only">
          {announcement(state)}
        </p>
      </ModalSection>
    </Modal>
  )
}

function Footer({ state, on }: Pick<ProgressDialogProps, 'state' | 'on'>) {
  const { at } = state.stage
  const isCleaningUp = state.step >= stepIndex('cleanUp')
  return (
    <>
      {at === 'failed' && <Button onClick={on.back}>Back</Button>}
      {(at === 'running' || at === 'paused') && (
        <Button
          onClick={on.cancel}
          disabledReason={
            isCleaningUp ? 'The image is created; only temporary resources are being deleted' : undefined
          }
        >
          Cancel
        </Button>
      )}
      {(at === 'running' || at === 'paused') && <Button onClick={on.hide}>Hide</Button>}
      {at === 'running' && !isCleaningUp && <Button onClick={on.pause}>Pause</Button>}
      {at === 'paused' && <Button onClick={on.resume}>Resume</Button>}
      {at === 'failed' ? (
        <Button variant="primary" onClick={on.again}>
          Try again
        </Button>
      ) : (
        <Button
          variant="primary"
          onClick={on.done}
          disabledReason={at === 'done' ? undefined : 'The upload is not finished yet'}
        >
          Done
        </Button>
      )}
    </>
  )
}

export const pauses: Record<PauseReason, { title: string; text: string }> = {
  user: { title: 'Paused', text: 'The upload continues when you resume it. Keep this page open.' },
  connection: {
    title: 'The server cannot be reached',
    text: 'Uploaded data is kept. The upload reconnects every few seconds and resumes automatically.',
  },
  session: { title: 'Your session has ended', text: 'Sign in again to resume the upload.' },
}

function Paused({ reason }: { reason: PauseReason }) {
  const { title, text } = pauses[reason]
  return (
    <Notice title={title} tone={reason === 'user' ? 'info' : 'danger'} className="mb-3">
      {text}
    </Notice>
  )
}

/** Rounded down, so that it is 100 only at the end. */
export const percentOf = (done: number, all: number): number => (all > 0 ? Math.floor((100 * done) / all) : 0)

function Bytes({
  state: { stage, done, speed, isComparing, step },
  file,
}: Pick<ProgressDialogProps, 'state' | 'file'>) {
  const { unit } = sizeParts(file.size)
  const size = (bytes: number) => sizeParts(bytes, { unit }).value.toFixed(2)
  const isSending = stage.at === 'running' && (isComparing || step === stepIndex('sendFile'))
  const percent = percentOf(done, file.size)
  const left = isSending ? timeLeft(file.size - done, speed) : undefined
  return (
    <div className="mt-2 space-y-1.5 rounded-md border border-line bg-sunken px-3 py-2.5">
      <div className="flex items-baseline justify-between gap-3">
        <span title={file.name} className="mono min-w-0 truncate">
          {shorten(file.name, 32, 'middle')}
        </span>
        <span className="mono shrink-0 whitespace-nowrap text-secondary">
          {size(done)} / {size(file.size)} {unit}
        </span>
      </div>
      <ProgressBar
        label="Upload progress"
        percent={percent}
        isHeld={done < file.size && (stage.at === 'paused' || stage.at === 'failed')}
      />
      <div className="flex justify-between gap-3 text-hint text-secondary">
        <span className="mono">{percent}%</span>
        <span>
          {isComparing && 'Comparing the file with the interrupted upload'}
          {isSending && !isComparing && speed !== undefined && <>{formatSize(Math.round(speed))}/s</>}
          {left && !isComparing && ` · ${left}`}
        </span>
      </div>
    </div>
  )
}

/** The announcement for screen readers: steps and pauses, no percentages. */
function announcement({ stage, step }: UploadState): string {
  if (stage.at === 'done') return 'Image uploaded successfully'
  if (stage.at === 'paused') return pauses[stage.reason].title
  const label = steps[step]?.label
  return stage.at === 'running' && label ? `Step ${step + 1} of ${steps.length}: ${label}` : ''
}

import { formatSize, sizeParts } from '../../../../../../lib/format.ts'
import { shorten } from '../../../../../../lib/text.ts'
import { Button } from '../../../../../../ui/Button.tsx'
import { FormErrorBanner } from '../../../../../../ui/FormErrorBanner.tsx'
import { Modal, ModalSection } from '../../../../../../ui/Modal.tsx'
import { Notice } from '../../../../../../ui/Notice.tsx'
import { ProgressBar } from '../../../../../../ui/ProgressBar.tsx'
import { Leftovers } from './Leftovers.tsx'
import { timeLeft } from './pace.ts'
import { stepIndex, steps, type UploadState } from './state.ts'
import { StepList } from './StepList.tsx'
import type { Why } from './valve.ts'

export interface ProgressDialogProps {
  state: UploadState
  file: File
  on: {
    cancel: () => void
    pause: () => void
    resume: () => void
    again: () => void
    back: () => void
    done: () => void
    tidy: () => Promise<void> | void
  }
}

/** How an upload is getting on. What dismisses it depends on that: it asks to cancel, goes back, or is done. */
export function ProgressDialog({ state, file, on }: ProgressDialogProps) {
  const { stage, step } = state
  const isTidying = step >= stepIndex('cleanUp')
  const dismiss = () => {
    if (stage.at === 'failed') on.back()
    else if (stage.at === 'done') on.done()
    else if (!isTidying) on.cancel()
  }
  return (
    <Modal title="Image upload progress" dims onDismiss={dismiss} footer={<Footer state={state} on={on} />}>
      <ModalSection className="text-sm text-ink">
        <div>
          <FormErrorBanner issues={stage.at === 'failed' ? [stage.problem] : []} className="mb-3" />
          {stage.at === 'paused' && <Paused why={stage.why} />}
          {stage.at === 'done' && (
            <div className="not-empty:mb-3">
              <Leftovers leftovers={stage.leftovers} onTry={on.tidy} />
            </div>
          )}
          <StepList state={state}>
            <Bytes state={state} file={file} />
          </StepList>
        </div>
        <p role="status" className="sr-only">
          {spoken(state)}
        </p>
      </ModalSection>
    </Modal>
  )
}

function Footer({ state, on }: Pick<ProgressDialogProps, 'state' | 'on'>) {
  const { at } = state.stage
  const isTidying = state.step >= stepIndex('cleanUp')
  return (
    <>
      {at === 'failed' && <Button onClick={on.back}>Back</Button>}
      {(at === 'running' || at === 'paused') && (
        <Button
          onClick={on.cancel}
          disabledReason={
            isTidying ? 'The image is there; only temporary things are being deleted' : undefined
          }
        >
          Cancel
        </Button>
      )}
      {at === 'running' && !isTidying && <Button onClick={on.pause}>Pause</Button>}
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

const reasons: Record<Why, { title: string; text: string }> = {
  person: { title: 'Paused', text: 'Nothing is sent until you resume. Keep this page open.' },
  connection: {
    title: 'The server cannot be reached',
    text: 'What was uploaded is safe. It is tried again every few seconds and goes on by itself.',
  },
  session: { title: 'Your session has ended', text: 'Sign in again, and the upload goes on where it is.' },
}

function Paused({ why }: { why: Why }) {
  const { title, text } = reasons[why]
  return (
    <Notice title={title} tone={why === 'person' ? 'info' : 'danger'} className="mb-3">
      {text}
    </Notice>
  )
}

/** Never 100 before all is there. */
const percentOf = (done: number, all: number): number => (all > 0 ? Math.floor((100 * done) / all) : 0)

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
          {isComparing && 'Comparing with what was sent before'}
          {isSending && !isComparing && speed !== undefined && <>{formatSize(Math.round(speed))}/s</>}
          {left && !isComparing && ` · ${left}`}
        </span>
      </div>
    </div>
  )
}

/** What is said aloud when something has changed: steps and breaks, no percentages. */
function spoken({ stage, step }: UploadState): string {
  if (stage.at === 'done') return 'Image uploaded successfully'
  if (stage.at === 'paused') return reasons[stage.why].title
  const label = steps[step]?.label
  return stage.at === 'running' && label ? `Step ${step + 1} of ${steps.length}: ${label}` : ''
}

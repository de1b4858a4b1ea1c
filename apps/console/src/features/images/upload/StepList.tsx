import Check from 'lucide-react/icons/check'
import CircleAlert from 'lucide-react/icons/circle-alert'
import Circle from 'lucide-react/icons/circle'
import Pause from 'lucide-react/icons/pause'
import type { ReactNode } from 'react'
import { cx } from '#/lib/text.ts'
import { Spinner } from '#/ui/feedback/Spinner.tsx'
import { stepIndex, steps, type UploadState } from './state.ts'

type StepState = 'ready' | 'running' | 'paused' | 'complete' | 'error'

function stateOf(index: number, { stage, step }: UploadState): StepState {
  if (stage.at === 'done')
    return index === stepIndex('cleanUp') && stage.leftovers.length > 0 ? 'error' : 'complete'
  if (index !== step) return index < step ? 'complete' : 'ready'
  return stage.at === 'failed' ? 'error' : stage.at === 'paused' ? 'paused' : 'running'
}

const icons: Record<StepState, ReactNode> = {
  ready: <Circle size={14} className="text-line-strong" />,
  running: <Spinner size={14} className="text-accent" />,
  paused: <Pause size={14} className="text-busy" />,
  complete: <Check size={14} className="text-ok" />,
  error: <CircleAlert size={14} className="text-danger" />,
}
const classes: Record<StepState, string> = {
  ready: 'text-tertiary',
  running: 'font-medium text-ink',
  paused: 'font-medium text-ink',
  complete: 'text-secondary',
  error: 'font-medium text-danger',
}

/** The steps of an upload with their states; `children` are shown under the step that sends the file. */
export function StepList({ state, children }: { state: UploadState; children: ReactNode }) {
  const isDone = state.stage.at === 'done'
  return (
    <ol className="space-y-1">
      {steps.map(({ key, label }, i) => (
        <Step key={key} label={label} state={stateOf(i, state)}>
          {key === 'sendFile' && children}
        </Step>
      ))}
      <Step label="Image uploaded successfully" state={isDone ? 'complete' : 'ready'} isLast={isDone} />
    </ol>
  )
}

function Step({
  label,
  state,
  isLast = false,
  children,
}: {
  label: string
  state: StepState
  isLast?: boolean
  children?: ReactNode
}) {
  return (
    <li data-state={state} aria-current={state === 'running' ? 'step' : undefined} className="py-0.5">
      <div className={cx('flex items-center gap-2.5', isLast ? 'font-medium text-ok' : classes[state])}>
        <span className="grid size-4 shrink-0 place-content-center">{icons[state]}</span>
        <span>
          {label}
          <span className="sr-only">, {state}</span>
        </span>
      </div>
      {children && <div className="pl-6.5">{children}</div>}
    </li>
  )
}

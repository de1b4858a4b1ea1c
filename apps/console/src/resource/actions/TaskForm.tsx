/** A dialog that asks for the parameters of an action on many resources, shows its plan, and begins a task. */
import { taskPreview } from '@purlin/contract/operations/tasks/tasks'
import { countOf, kinds } from '@purlin/contract/rules/kinds'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { FieldValues, UseFormReturn } from 'react-hook-form'
import { errorMessage, ExplainedError } from '#/api/errors.ts'
import { sendIfThere } from '#/api/send.ts'
import { Notice } from '#/ui/feedback/Notice.tsx'
import { Spinner } from '#/ui/feedback/Spinner.tsx'
import type { Chosen } from './actions.tsx'
import { ModalForm } from '../form/ModalForm.tsx'
import {
  beginTask,
  followTask,
  taskRequest,
  type TaskParameters,
  type TaskTexts,
  type TaskType,
} from './runTask.ts'
import { undoOf, type TaskInverse } from './undoTask.ts'
import { leftIn, TaskPlan, type TaskPreview } from './TaskPlan.tsx'

export interface TaskFormProps<V extends FieldValues> {
  /** 'Snapshot disks' */
  title: string
  submitLabel: string
  task: TaskType
  chosen: Chosen
  texts: TaskTexts
  /** Takes it back for one of them. */
  inverse?: TaskInverse | undefined
  form: UseFormReturn<V>
  /** The parameters of the action; the missing part as long as they are incomplete. */
  parameters: TaskParameters | { missing: string }
  /** The fields. */
  children: ReactNode | ((preview: TaskPreview | undefined) => ReactNode)
}

const noTasks = 'This server does not support actions on several resources.'

export function TaskForm<V extends FieldValues>(props: TaskFormProps<V>) {
  const { title, submitLabel, task, chosen, texts, inverse, form, children } = props
  const missing = 'missing' in props.parameters ? props.parameters.missing : undefined
  const parameters = 'missing' in props.parameters ? undefined : props.parameters
  const body = { kind: kinds[task.kind].type, action: task.action, ...chosen.of, ...parameters }
  const preview = useQuery({
    queryKey: ['task preview', body],
    queryFn: async ({ signal }) => (await sendIfThere(taskPreview, { body }, signal)) ?? null,
    enabled: parameters !== undefined,
    staleTime: 0,
    placeholderData: keepPreviousData,
    throwOnError: false,
  })
  const plan = parameters && (preview.data ?? undefined)
  const done = plan && plan.totalItems - leftIn(plan)
  const begin = async () => {
    if (!parameters || !plan) return
    const { digest } = plan
    const begun = await beginTask(task, { ...chosen.of, ...parameters, digest }).catch((error: unknown) => {
      // The matching resources have changed: the next attempt is about the present ones.
      void preview.refetch()
      throw error
    })
    if (!begun) throw new ExplainedError(noTasks)
    // Without a connection the end is not reported; the activity panel has it.
    const undo = inverse && undoOf({ ...inverse, noun: texts.noun })
    void followTask(begun, texts, undo).catch(() => undefined)
    chosen.onDone()
    chosen.close()
  }
  const none =
    done === 0 ? `None of the ${countOf(plan?.totalItems ?? 0, texts.noun)} can be ${texts.done}` : undefined
  const isWaiting = parameters !== undefined && (preview.isPlaceholderData || preview.isPending)
  return (
    <ModalForm
      title={title}
      submitLabel={done ? `${submitLabel} ${countOf(done, texts.noun)}` : submitLabel}
      form={form}
      onSubmit={begin}
      request={parameters ? () => taskRequest(task, { ...chosen.of, ...parameters }) : null}
      onDismiss={chosen.close}
      submitDisabledReason={missing ?? none ?? (plan && !isWaiting ? undefined : 'Loading the preview')}
    >
      {typeof children === 'function' ? children(plan) : children}
      {parameters && preview.error && (
        <Notice tone="danger" title="Could not load the preview">
          {errorMessage(preview.error)}
        </Notice>
      )}
      {preview.data === null && <Notice tone="danger">{noTasks}</Notice>}
      {isWaiting && !plan && <Spinner size={14} />}
      {plan && (
        <div role="status" className="space-y-2 text-secondary">
          <TaskPlan {...plan} />
        </div>
      )}
    </ModalForm>
  )
}

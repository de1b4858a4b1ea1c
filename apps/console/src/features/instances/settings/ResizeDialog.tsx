import { keysOf, recordOf } from '@purlin/contract/rules/keys'
import { instanceView } from '@purlin/contract/operations/instances/instances'
import { instanceCan } from '@purlin/contract/rules/states'
import { GiB } from '@purlin/contract/rules/limits'
import { useQuery } from '@tanstack/react-query'
import { useForm, useWatch } from 'react-hook-form'
import { invalidate, query } from '#/api/query.ts'
import { paths } from '#/lib/addresses.ts'
import { NumberControl } from '#/ui/form/NumberControl.tsx'
import { addToast } from '#/ui/feedback/toast.ts'
import { Truncate } from '#/ui/value/Truncate.tsx'
import { LoadToEdit, type Fresh } from '#/resource/form/fresh/LoadToEdit.tsx'
import { ModalForm } from '#/resource/form/ModalForm.tsx'
import { viewQuery } from '#/resource/kind.ts'
import { kinds } from '#/resource/kinds.ts'
import { undoableToast } from '#/resource/actions/undo.tsx'
import { Notice } from '#/ui/feedback/Notice.tsx'
import { pollInstance } from '#/features/instance-state/poll.ts'
import { Fits } from '#/features/utilization/Fits.tsx'
import { leftText, useUtilization } from '#/features/utilization/quota.ts'
import { SizePicker } from '#/features/machine-sizes/SizePicker.tsx'
import { cpuProblem, memoryProblem } from '#/features/machine-sizes/sizes.ts'
import { sizeChanges, sizeToForm } from './resize.ts'
import { argsOf, reloadLists, type Instance } from '#/features/instance-state/update.ts'
import { restoreInstance, updateInstance, updateRequest } from '#/features/instance-state/values.ts'

const seconds = 1000

export interface ResizeDialogProps extends Shown {
  id: string
}
interface Shown {
  project: string
  /** Whether the toast should lead to the instance. */
  offerLink?: boolean
  onDismiss: () => void
}

/** 'Resize instance': changes vCPUs and memory of a stopped instance. */
export const ResizeDialog = ({ id, ...shown }: ResizeDialogProps) => (
  <LoadToEdit title="Resize instance" read={viewQuery(kinds.instance, id)} onDismiss={shown.onDismiss}>
    {(instance) => <ResizeForm {...shown} opened={instance} />}
  </LoadToEdit>
)

/** The form follows the instance. */
function ResizeForm({ project, opened, offerLink = false, onDismiss }: Shown & { opened: Fresh<Instance> }) {
  const target = { project, instance: opened.name }
  const { data: instance = opened } = useQuery({
    ...query(instanceView, argsOf(target)),
    // A poll that fails, or finds nothing, is no reason to take the form away.
    throwOnError: false,
    // Others may start or stop it while the form is open.
    refetchInterval: (polled) => pollInstance(polled) || 5 * seconds,
  })
  const form = useForm({ mode: 'onChange', defaultValues: sizeToForm(opened) })
  const { isValid } = form.formState
  const utilization = useUtilization()
  const mayResize = instanceCan('resize', instance.runState)
  const [ncpus, memory] = useWatch({ control: form.control, name: ['ncpus', 'memory'] })
  const isSame = Object.keys(sizeChanges({ ncpus, memory }, instance)).length === 0
  const reason = !mayResize
    ? 'An instance must be stopped to be resized'
    : !isValid
      ? 'Correct the values first'
      : isSame
        ? 'This is the current size'
        : undefined
  const resize = async (values: { ncpus: number; memory: number }) => {
    const left = sizeChanges(values, instance)
    const former = recordOf(keysOf(left), (key) => instance[key])
    await updateInstance(target, left).catch((error: unknown) => {
      void invalidate(instanceView)
      throw error
    })
    await reloadLists()
    const toast = {
      noun: 'Instance',
      name: instance.name,
      done: 'resized',
      undone: 'has its former size again',
    }
    addToast({
      ...undoableToast(toast, () => restoreInstance(target, { left, former })),
      ...(offerLink ? { cta: { href: paths.instance(target), text: 'View instance' } } : {}),
    })
    onDismiss()
  }
  const locked = mayResize ? {} : { disabledReason: 'Stop the instance first' }
  return (
    <ModalForm
      title="Resize instance"
      submitLabel="Resize"
      form={form}
      onSubmit={resize}
      request={(values) => updateRequest(target, sizeChanges(values, instance))}
      draft={{ form: 'instanceSize', place: opened.id, isChange: true }}
      onDismiss={onDismiss}
      submitDisabledReason={reason}
    >
      {mayResize ? (
        <Notice>
          Current (<Truncate text={instance.name} max={20} />
          ): {instance.ncpus} {vCpus(instance.ncpus)} / {instance.memory / GiB} GiB
        </Notice>
      ) : (
        <Notice tone="danger">An instance must be stopped to be resized</Notice>
      )}
      <SizePicker
        value={{ ncpus, memory: memory * GiB }}
        onChange={(size) => {
          form.setValue('ncpus', size.ncpus, { shouldDirty: true, shouldValidate: true })
          form.setValue('memory', size.memory / GiB, { shouldDirty: true, shouldValidate: true })
        }}
        {...locked}
      />
      <NumberControl
        name="ncpus"
        control={form.control}
        label="vCPUs"
        required
        integer
        min={1}
        validate={cpuProblem}
        hint={utilization && leftText(utilization, 'cpus')}
        {...locked}
      />
      <NumberControl
        name="memory"
        control={form.control}
        units="GiB"
        required
        integer
        min={1}
        validate={memoryProblem}
        hint={utilization && leftText(utilization, 'memory')}
        {...locked}
      />
      {mayResize && <Fits cpus={ncpus} memory={memory * GiB} />}
    </ModalForm>
  )
}

const vCpus = (count: number) => (count === 1 ? 'vCPU' : 'vCPUs')

import { instanceDiskList } from '@purlin/contract/operations/instances/instances'
import { instanceCan, instanceStates } from '@purlin/contract/rules/states'
import { useQuery } from '@tanstack/react-query'
import { useForm, useWatch } from 'react-hook-form'
import { query } from '#/api/query.ts'
import type { Named } from '#/resource/kind.ts'
import { kinds } from '#/resource/kinds.ts'
import { ModalForm } from '#/resource/form/ModalForm.tsx'
import { inStates, usePicker } from '#/resource/form/usePicker.ts'
import { Highlight } from '#/ui/value/Highlight.tsx'
import { ComboboxControl } from '#/ui/form/ComboboxControl.tsx'
import { addDiskDisabledReason, attachDisk, attachRequest } from './attachment.ts'

interface AttachToInstanceDialogProps {
  project: string
  disk: Named
  /** The instance, if it is known. */
  given?: Named | undefined
  onDismiss: () => void
}

const ready = inStates(instanceStates, (state) => instanceCan('attachDisk', state))

/** Chooses the instance that a disk is attached to. */
export function AttachToInstanceDialog({ project, disk, given, onDismiss }: AttachToInstanceDialogProps) {
  const form = useForm({ defaultValues: { instance: given?.name ?? '' } })
  const instance = useWatch({ control: form.control, name: 'instance' })
  const instances = usePicker(kinds.instance, {
    scope: { project },
    value: instance,
    by: 'name',
    filter: ready,
    fits: ({ runState }) => instanceCan('attachDisk', runState),
    choice: ({ runState }) => ({ description: runState }),
  })
  const disks = useQuery({
    ...query(instanceDiskList, { params: { instance }, query: { project } }),
    enabled: instance !== '',
    throwOnError: false,
  })
  const { chosen } = instances
  const none = instances.isEmpty
    ? 'No instance of the project can be given a disk now. Stop the one that is to have it.'
    : undefined
  return (
    <ModalForm
      title="Attach disk"
      submitLabel="Attach"
      form={form}
      onSubmit={async (values) => {
        await attachDisk({ project, instance: values.instance }, disk.name)
        onDismiss()
      }}
      request={(values) => attachRequest({ project, instance: values.instance }, disk.name)}
      onDismiss={onDismiss}
      submitDisabledReason={
        chosen && addDiskDisabledReason(chosen, disks.data?.items.length ?? 0, 'attach a disk')
      }
    >
      <p>
        The instance will have disk <Highlight>{disk.name}</Highlight> as an additional disk.
      </p>
      <ComboboxControl
        name="instance"
        control={form.control}
        required
        placeholder="Select an instance"
        hint={instances.problem ?? none}
        {...instances.field}
      />
    </ModalForm>
  )
}

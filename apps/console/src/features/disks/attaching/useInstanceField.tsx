import { instanceDiskList } from '@purlin/contract/operations/instances/instances'
import { instanceCan, instanceStates } from '@purlin/contract/rules/states'
import { useQuery } from '@tanstack/react-query'
import { useWatch, type UseFormReturn } from 'react-hook-form'
import { query } from '#/api/query.ts'
import { kinds } from '#/resource/kinds.ts'
import { inStates, usePicker } from '#/resource/form/usePicker.ts'
import { ComboboxControl } from '#/ui/form/ComboboxControl.tsx'
import { addDiskDisabledReason } from '../attachment.ts'

const ready = inStates(instanceStates, (state) => instanceCan('attachDisk', state))

/** The field for an instance of a project that can be given disks, and why the chosen one can have none. */
export function useInstanceField(project: string, { control }: UseFormReturn<{ instance: string }>) {
  const instance = useWatch({ control, name: 'instance' })
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
  return {
    chosen,
    full: chosen && addDiskDisabledReason(chosen, disks.data?.items.length ?? 0, 'attach a disk'),
    field: (
      <ComboboxControl
        name="instance"
        control={control}
        required
        placeholder="Select an instance"
        hint={instances.problem ?? none}
        {...instances.field}
      />
    ),
  }
}

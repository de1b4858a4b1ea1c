import {
  affinityGroupList,
  affinityGroupView,
  antiAffinityGroupMemberList,
  instanceAntiAffinityGroupList,
} from '@purlin/contract/operations/instances/affinity-groups'
import { kinds as contractKinds } from '@purlin/contract/rules/kinds'
import { useQuery } from '@tanstack/react-query'
import { useForm, useWatch } from 'react-hook-form'
import { invalidate, query } from '#/api/query.ts'
import { capitalize } from '#/lib/text.ts'
import type { Chosen } from '#/resource/actions/actions.tsx'
import { kinds } from '#/resource/kinds.ts'
import { TaskForm } from '#/resource/actions/TaskForm.tsx'
import { usePicker } from '#/resource/form/usePicker.ts'
import { ComboboxControl } from '#/ui/form/ComboboxControl.tsx'
import { RadioGroupControl } from '#/ui/form/RadioGroupControl.tsx'

const { affinityGroup: near } = contractKinds
const affinityGroups = {
  name: 'affinityGroup',
  noun: near.noun,
  list: affinityGroupList,
  view: affinityGroupView,
} as const
const { antiAffinityGroup: antiAffinityGroups, instance } = kinds

const kindsOfGroup = [antiAffinityGroups, affinityGroups].map(({ name, noun }) => ({
  value: name,
  label: capitalize(noun),
}))
const actions = { antiAffinityGroup: 'add_to_group', affinityGroup: 'add_to_affinity_group' } as const

/** Adds many instances to a group. */
export function AddManyDialog({ project, chosen }: { project: string; chosen: Chosen }) {
  const form = useForm<{ kind: string; group: string }>({
    defaultValues: { kind: antiAffinityGroups.name, group: '' },
  })
  const { control } = form
  const [kind, group] = useWatch({ control, name: ['kind', 'group'] })
  const isNear = kind === near.field
  const of = { scope: { project }, value: group, by: 'id' } as const
  const apart = usePicker(antiAffinityGroups, { ...of, enabled: !isNear })
  const together = usePicker(affinityGroups, { ...of, enabled: isNear })
  const groups = isNear ? together : apart
  // Few projects have groups that keep instances together: only those need the choice of a kind.
  const { data } = useQuery({
    ...query(affinityGroupList, { query: { project, limit: 1 } }),
    throwOnError: false,
  })
  return (
    <TaskForm
      title="Add instances to a group"
      submitLabel="Add"
      task={{ kind: 'instance', action: isNear ? actions.affinityGroup : actions.antiAffinityGroup }}
      chosen={chosen}
      texts={{
        noun: instance.noun,
        done: 'added to the group',
        after: () => invalidate(antiAffinityGroupMemberList, instanceAntiAffinityGroupList),
      }}
      form={form}
      parameters={group === '' ? { missing: 'Select a group' } : { group }}
    >
      {(data?.items.length ?? 0) > 0 && (
        <RadioGroupControl
          name="kind"
          control={control}
          label="Kind of group"
          options={kindsOfGroup}
          onValue={() => form.setValue('group', '')}
        />
      )}
      <ComboboxControl
        name="group"
        control={control}
        required
        placeholder={groups.isEmpty ? 'No groups found' : 'Select a group'}
        hint={
          groups.problem ??
          (isNear
            ? 'Members are placed on the same sled when they next start.'
            : 'Members are placed on different sleds when they next start.')
        }
        {...groups.field}
      />
    </TaskForm>
  )
}

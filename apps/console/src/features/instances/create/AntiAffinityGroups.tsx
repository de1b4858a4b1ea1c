import { useQuery } from '@tanstack/react-query'
import { useWatch } from 'react-hook-form'
import { groupsQuery } from '#/features/affinity-groups/queries.ts'
import { PolicyBadge, policyHint } from '#/features/affinity-groups/PolicyBadge.tsx'
import { joinDisabledReason, without } from '#/features/affinity-groups/disabledReasons.ts'
import { errorMessage } from '#/api/errors.ts'
import { ComboboxField } from '#/ui/field/ComboboxField.tsx'
import { MiniTable } from '#/ui/field/MiniTable.tsx'
import type { SectionProps } from './values/sections.ts'

const title = 'Anti-affinity groups'

/** The groups that the instance joins when it is created. */
export function AntiAffinityGroups({ form, project }: Pick<SectionProps, 'form' | 'project'>) {
  const names = useWatch({ control: form.control, name: 'antiAffinityGroups' })
  const { data: all, error } = useQuery({ ...groupsQuery(project), throwOnError: false })
  const set = (next: string[]) => form.setValue('antiAffinityGroups', next, { shouldDirty: true })
  const policyOf = (name: string) => all?.find((group) => group.name === name)?.policy
  const joined = names.map((name) => ({ name, policy: policyOf(name) }))
  return (
    <div className="flex flex-col gap-2.5">
      <ComboboxField
        label={title}
        tip={policyHint}
        placeholder="Select a group"
        hint={
          error
            ? `Could not load the groups: ${errorMessage(error)}`
            : 'The instance runs on a different sled than the other members of its groups.'
        }
        disabledReason={all && joinDisabledReason('stopped', joined, all)}
        loading={!all && !error}
        value=""
        onChange={(name) => name && set([...names, name])}
        items={without(all ?? [], joined).map(({ name, description, policy }) => ({
          value: name,
          label: name,
          description,
          aside: <PolicyBadge policy={policy} />,
        }))}
      />
      <MiniTable
        label={title}
        columns={[
          { header: 'Name', cell: ({ name }) => name },
          { header: 'Policy', cell: ({ policy }) => policy && <PolicyBadge policy={policy} /> },
        ]}
        rows={joined}
        rowKey={({ name }) => name}
        onRemove={({ name }) => set(names.filter((other) => other !== name))}
        removeLabel={({ name }) => `Remove group ${name}`}
      />
    </div>
  )
}

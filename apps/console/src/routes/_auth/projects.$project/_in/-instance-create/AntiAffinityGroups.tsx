import { useQuery } from '@tanstack/react-query'
import { useWatch } from 'react-hook-form'
import { groupsQuery } from '../../../../../parts/affinity/groups.ts'
import { PolicyBadge, policyHint } from '../../../../../parts/affinity/PolicyBadge.tsx'
import { joinRefusal, without } from '../../../../../parts/affinity/refusals.ts'
import { errorMessage } from '../../../../../send.ts'
import { ComboboxField } from '../../../../../ui/field/ComboboxField.tsx'
import { MiniTable } from '../../../../../ui/field/MiniTable.tsx'
import type { SectionProps } from './sections.ts'

const title = 'Anti-affinity groups'

/** The groups that the instance is a member of from the start. */
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
            ? `The groups could not be read: ${errorMessage(error)}`
            : 'The instance is placed on another sled than the other members of each of its groups.'
        }
        disabledReason={all && joinRefusal('stopped', joined, all)}
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

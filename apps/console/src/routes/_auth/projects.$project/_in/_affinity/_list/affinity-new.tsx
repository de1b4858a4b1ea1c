import { antiAffinityGroupCreate, antiAffinityGroupList } from '@purlin/contract/operations/affinity'
import { createFileRoute, useNavigate } from '@tanstack/react-router'
import { useForm } from 'react-hook-form'
import { invalidate, queryClient } from '../../../../../../api.ts'
import { useProjectRole } from '../../../../../../parts/access/useProjectRole.ts'
import { type AntiAffinityGroup, groupQuery } from '../../../../../../parts/affinity/groups.ts'
import { policyHint } from '../../../../../../parts/affinity/PolicyBadge.tsx'
import { ResourceForm } from '../../../../../../parts/ResourceForm.tsx'
import { paths } from '../../../../../../paths.ts'
import { send } from '../../../../../../send.ts'
import { DescriptionControl } from '../../../../../../ui/form/DescriptionControl.tsx'
import { NameControl } from '../../../../../../ui/form/NameControl.tsx'
import { RadioGroupControl } from '../../../../../../ui/form/RadioGroupControl.tsx'
import { Highlight } from '../../../../../../ui/Highlight.tsx'
import { addToast } from '../../../../../../ui/toast.ts'

export const Route = createFileRoute('/_auth/projects/$project/_in/_affinity/_list/affinity-new')({
  staticData: { crumb: { label: 'New anti-affinity group', titleOnly: true } },
  component: CreateGroup,
})

interface GroupForm {
  name: string
  description: string
  policy: AntiAffinityGroup['policy']
}
const policies = [
  {
    value: 'allow',
    label: 'Allow',
    description: 'It starts all the same, on a sled that it shares with a member.',
  },
  { value: 'fail', label: 'Fail', description: 'It does not start until a sled without a member has room.' },
]

function CreateGroup() {
  const { project } = Route.useParams()
  const navigate = useNavigate()
  const { lacks } = useProjectRole(project)
  const form = useForm<GroupForm>({ defaultValues: { name: '', description: '', policy: 'allow' } })
  const create = async (values: GroupForm) => {
    const body = { ...values, failureDomain: 'sled' as const }
    const group = await send(antiAffinityGroupCreate, { query: { project }, body })
    const target = { project, antiAffinityGroup: group.name }
    queryClient.setQueryData(groupQuery(target).queryKey, group)
    void invalidate(antiAffinityGroupList)
    addToast({
      content: (
        <>
          Anti-affinity group <Highlight>{group.name}</Highlight> created
        </>
      ),
    })
    await navigate({ href: paths.antiAffinityGroup(target), ignoreBlocker: true })
  }
  return (
    <ResourceForm
      title="Add anti-affinity group"
      submitLabel="Add group"
      form={form}
      onSubmit={create}
      onDismiss={() => void navigate({ href: paths.affinity(project) })}
      submitDisabledReason={lacks('collaborator')}
    >
      <NameControl name="name" control={form.control} />
      <DescriptionControl name="description" control={form.control} />
      <RadioGroupControl
        name="policy"
        control={form.control}
        required
        hint={`${policyHint}: when all available sleds already contain a member. It cannot be changed later.`}
        options={policies}
      />
    </ResourceForm>
  )
}

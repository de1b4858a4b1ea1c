import {
  antiAffinityGroupList,
  antiAffinityGroupUpdate,
  instanceAntiAffinityGroupList,
} from '@purlin/contract/operations/affinity'
import { createFileRoute, useNavigate } from '@tanstack/react-router'
import { useForm } from 'react-hook-form'
import { invalidate, queryClient } from '../../../../../api.ts'
import { useProjectRole } from '../../../../../parts/access/useProjectRole.ts'
import { groupArgs, groupQuery } from '../../../../../parts/affinity/groups.ts'
import { useLoaded } from '../../../../../parts/instance/useLoaded.ts'
import { ResourceForm } from '../../../../../parts/ResourceForm.tsx'
import { paths } from '../../../../../paths.ts'
import { send } from '../../../../../send.ts'
import { DescriptionControl } from '../../../../../ui/form/DescriptionControl.tsx'
import { NameControl } from '../../../../../ui/form/NameControl.tsx'
import { Highlight } from '../../../../../ui/Highlight.tsx'
import { addToast } from '../../../../../ui/toast.ts'

// The page of the group has loaded what this changes.
export const Route = createFileRoute(
  '/_auth/projects/$project/_in/_affinity/affinity/$antiAffinityGroup/edit',
)({
  staticData: { crumb: { label: 'Edit anti-affinity group', titleOnly: true } },
  component: EditGroup,
})

function EditGroup() {
  const target = Route.useParams()
  const { project } = target
  const navigate = useNavigate()
  const { lacks } = useProjectRole(project)
  const { name, description } = useLoaded(groupQuery(target))
  const form = useForm({ defaultValues: { name, description } })
  const update = async (body: { name: string; description: string }) => {
    const group = await send(antiAffinityGroupUpdate, { ...groupArgs(target), body })
    const renamed = { project, antiAffinityGroup: group.name }
    queryClient.setQueryData(groupQuery(renamed).queryKey, group)
    void invalidate(antiAffinityGroupList, instanceAntiAffinityGroupList)
    addToast({
      content: (
        <>
          Anti-affinity group <Highlight>{group.name}</Highlight> updated
        </>
      ),
    })
    await navigate({ href: paths.antiAffinityGroup(renamed), ignoreBlocker: true })
  }
  return (
    <ResourceForm
      title="Edit anti-affinity group"
      submitLabel="Update group"
      form={form}
      onSubmit={update}
      onDismiss={() => void navigate({ href: paths.antiAffinityGroup(target) })}
      submitDisabledReason={lacks('collaborator')}
    >
      <NameControl name="name" control={form.control} />
      <DescriptionControl name="description" control={form.control} />
    </ResourceForm>
  )
}

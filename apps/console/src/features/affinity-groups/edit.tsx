import { pageOf } from '#/resource/address/pageOf.ts'
import { createFileRoute } from '@tanstack/react-router'
import { EditForm } from '#/resource/form/EditForm.tsx'
import { taggedValues } from '#/resource/form/tags.ts'
import { TagsControl } from '#/resource/form/TagsControl.tsx'
import { kinds } from '#/resource/kinds.ts'
import { fresh, formRoute, loadRowToEdit } from '#/resource/address/routeOptions.tsx'

export const Route = createFileRoute(
  '/_auth/projects/$project/_in/_affinity-groups/affinity/$antiAffinityGroup/edit',
)({
  ...formRoute('Edit anti-affinity group'),
  ...fresh,
  loader: (match) => loadRowToEdit(kinds.antiAffinityGroup, match),
  component: EditGroup,
})

function EditGroup() {
  const params = Route.useParams()
  return (
    <EditForm
      kind={kinds.antiAffinityGroup}
      submitLabel="Update group"
      hasNameLine={false}
      properties={null}
      values={taggedValues}
      closeTo={(name) => pageOf('antiAffinityGroup', { ...params, name })}
    >
      {({ control }) => <TagsControl control={control} />}
    </EditForm>
  )
}

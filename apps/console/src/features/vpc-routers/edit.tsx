import { createFileRoute } from '@tanstack/react-router'
import { EditForm } from '#/resource/form/EditForm.tsx'
import { taggedValues } from '#/resource/form/tags.ts'
import { TagsControl } from '#/resource/form/TagsControl.tsx'
import { kinds } from '#/resource/kinds.ts'
import { fresh, loadRowToEdit, rowRoute } from '#/resource/address/routeOptions.tsx'
import { RouterKind } from './RouterKind.tsx'

export const Route = createFileRoute(
  '/_auth/projects/$project/_in/_vpc-pages/vpcs/$vpc/_page/_routers/routers/$router/edit',
)({
  ...rowRoute(kinds.vpcRouter, { label: 'Edit router' }),
  ...fresh,
  loader: (match) => loadRowToEdit(kinds.vpcRouter, match),
  component: () => (
    <EditForm
      kind={kinds.vpcRouter}
      values={taggedValues}
      properties={({ kind }) => [{ label: 'Kind', value: <RouterKind kind={kind} /> }]}
    >
      {({ control }) => <TagsControl control={control} />}
    </EditForm>
  ),
})

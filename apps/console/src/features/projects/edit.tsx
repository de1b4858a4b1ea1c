import { createFileRoute } from '@tanstack/react-router'
import { EditForm } from '#/resource/form/EditForm.tsx'
import { ProtectionControl, protectableValues } from '#/resource/form/ProtectionControl.tsx'
import { kinds } from '#/resource/kinds.ts'
import { fresh, loadRowToEdit, rowRoute } from '#/resource/address/routeOptions.tsx'

export const Route = createFileRoute('/_auth/_silo/_projects/projects/$project/edit')({
  ...rowRoute(kinds.project, { label: 'Edit project' }),
  ...fresh,
  loader: (match) => loadRowToEdit(kinds.project, match),
  component: EditProject,
})

function EditProject() {
  const { project } = Route.useParams()
  return (
    <EditForm kind={kinds.project} roleIn={project} hasNameLine={false} values={protectableValues}>
      {({ control }) => <ProtectionControl control={control} />}
    </EditForm>
  )
}

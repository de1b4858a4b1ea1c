import { createFileRoute } from '@tanstack/react-router'
import { ActivityInPanel } from '#/features/audit-log/lazyActivity.ts'
import { fresh, loadRowToEdit, rowRoute } from '#/resource/address/routeOptions.tsx'
import { EditForm } from '#/resource/form/EditForm.tsx'
import { ProtectionControl, protectableValues } from '#/resource/form/ProtectionControl.tsx'
import { useLoaded } from '#/resource/form/useLoaded.ts'
import { viewQuery } from '#/resource/kind.ts'
import { kinds } from '#/resource/kinds.ts'
import { bodyOf, valuesOf } from './template.ts'
import { TemplateControls } from './TemplateControls.tsx'

export const Route = createFileRoute(
  '/_auth/projects/$project/_in/_user-data-templates/user-data-templates/$template/edit',
)({
  ...rowRoute(kinds.userDataTemplate, { label: 'Edit user data template' }),
  ...fresh,
  loader: (match) => loadRowToEdit(kinds.userDataTemplate, match),
  component: EditTemplate,
})

function EditTemplate() {
  const { project, template } = Route.useParams()
  const { id } = useLoaded(viewQuery(kinds.userDataTemplate, template, { project }))
  return (
    <EditForm
      kind={kinds.userDataTemplate}
      values={(row) => ({ ...valuesOf(row), ...protectableValues(row) })}
      toBody={(filled) => ({ ...bodyOf(filled), protected: filled.protected })}
      note={<p className="text-hint text-secondary">Instances that were created from it do not change.</p>}
    >
      {(form) => (
        <>
          <TemplateControls form={form} />
          <ProtectionControl control={form.control} />
          <ActivityInPanel resource={`user-data-template:${id}`} />
        </>
      )}
    </EditForm>
  )
}

import { createFileRoute } from '@tanstack/react-router'
import { loadRow, rowRoute } from '#/resource/address/routeOptions.tsx'
import { CreateForm } from '#/resource/form/CreateForm.tsx'
import { useLoaded } from '#/resource/form/useLoaded.ts'
import { viewQuery } from '#/resource/kind.ts'
import { kinds } from '#/resource/kinds.ts'
import { bodyOf, copyOf } from './template.ts'
import { TemplateControls } from './TemplateControls.tsx'

export const Route = createFileRoute(
  '/_auth/projects/$project/_in/_user-data-templates/user-data-templates-new/$template',
)({
  ...rowRoute(kinds.userDataTemplate, { label: 'New user data template' }),
  loader: ({ params }) => loadRow(kinds.userDataTemplate, params),
  component: CloneTemplate,
})

/** The form of a new template, prefilled from another one. */
function CloneTemplate() {
  const { project, template: name } = Route.useParams()
  const template = useLoaded(viewQuery(kinds.userDataTemplate, name, { project }))
  return (
    <CreateForm
      key={name}
      kind={kinds.userDataTemplate}
      values={copyOf(template)}
      toBody={bodyOf}
      note={<p className="text-secondary">Prefilled from {name}.</p>}
    >
      {(form) => <TemplateControls form={form} />}
    </CreateForm>
  )
}

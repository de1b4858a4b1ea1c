import { createFileRoute } from '@tanstack/react-router'
import { formRoute } from '#/resource/address/routeOptions.tsx'
import { CreateForm } from '#/resource/form/CreateForm.tsx'
import { kinds } from '#/resource/kinds.ts'
import { bodyOf, emptyValues } from './template.ts'
import { TemplateControls } from './TemplateControls.tsx'

export const Route = createFileRoute(
  '/_auth/projects/$project/_in/_user-data-templates/user-data-templates-new',
)({
  ...formRoute('New user data template'),
  component: () => (
    <CreateForm kind={kinds.userDataTemplate} values={emptyValues()} toBody={bodyOf}>
      {(form) => <TemplateControls form={form} />}
    </CreateForm>
  ),
})

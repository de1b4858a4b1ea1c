import { createFileRoute } from '@tanstack/react-router'
import { CreateForm } from '#/resource/form/CreateForm.tsx'
import { kinds } from '#/resource/kinds.ts'
import { formRoute } from '#/resource/address/routeOptions.tsx'

export const Route = createFileRoute(
  '/_auth/projects/$project/_in/_vpc-pages/vpcs/$vpc/_page/_routers/routers-new',
)({
  ...formRoute('New router'),
  component: () => <CreateForm kind={kinds.vpcRouter} values={{ name: '', description: '' }} />,
})

import { pageOf } from '#/resource/address/pageOf.ts'
import { createFileRoute, useNavigate } from '@tanstack/react-router'
import { CreateForm } from '#/resource/form/CreateForm.tsx'
import { kinds } from '#/resource/kinds.ts'
import { formRoute } from '#/resource/address/routeOptions.tsx'
import { Notice } from '#/ui/feedback/Notice.tsx'

export const Route = createFileRoute(
  '/_auth/projects/$project/_in/_vpc-pages/vpcs/$vpc/_page/_internet-gateways/internet-gateways-new',
)({
  ...formRoute('New internet gateway'),
  component: CreateGateway,
})

function CreateGateway() {
  const scope = Route.useParams()
  const navigate = useNavigate()
  return (
    <CreateForm
      kind={kinds.internetGateway}
      values={{ name: '', description: '' }}
      note={<Notice>It lets packets out once an IP pool is attached to it and a route leads to it.</Notice>}
      onCreated={({ name }) =>
        navigate({ href: pageOf('internetGateway', { ...scope, name }), ignoreBlocker: true })
      }
    />
  )
}

import { createFileRoute } from '@tanstack/react-router'
import { prefetch } from '#/api/query.ts'
import { routersQuery, subnetsQuery } from '#/features/vpc-names/queries.ts'
import { formRoute } from '#/resource/address/routeOptions.tsx'
import { SubnetForm } from './SubnetForm.tsx'

export const Route = createFileRoute(
  '/_auth/projects/$project/_in/_vpc-pages/vpcs/$vpc/_page/_subnets/subnets-new',
)({
  ...formRoute('New subnet'),
  loader: ({ params }) => prefetch(subnetsQuery(params.project, params.vpc), routersQuery(params)),
  component: CreateSubnet,
})

function CreateSubnet() {
  return <SubnetForm scope={Route.useParams()} />
}

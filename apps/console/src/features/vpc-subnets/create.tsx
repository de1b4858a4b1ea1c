import { createFileRoute } from '@tanstack/react-router'
import { prefetch } from '#/api/query.ts'
import { subnetsQuery } from '#/features/vpc-names/queries.ts'
import { RouterFields } from '#/features/vpc-routers/RouterFields.tsx'
import { noRouter, routerOf, routersQuery } from '#/features/vpc-routers/queries.ts'
import { CreateForm } from '#/resource/form/CreateForm.tsx'
import { viewQuery } from '#/resource/kind.ts'
import { kinds } from '#/resource/kinds.ts'
import { formRoute } from '#/resource/address/routeOptions.tsx'
import { TextControl } from '#/ui/form/TextControl.tsx'
import { useQuery } from '@tanstack/react-query'
import { validateBlock } from './blocks.ts'

export const Route = createFileRoute(
  '/_auth/projects/$project/_in/_vpc-pages/vpcs/$vpc/_page/_subnets/subnets-new',
)({
  ...formRoute('New Subnet'),
  loader: ({ params }) => prefetch(subnetsQuery(params.project, params.vpc), routersQuery(params)),
  component: CreateSubnet,
})

const empty = {
  name: '',
  description: '',
  ipv4Block: '',
  ipv6Block: '',
  customRouter: noRouter,
  newRouter: '',
}

function CreateSubnet() {
  const scope = Route.useParams()
  const { project, vpc } = scope
  const subnets = useQuery({ ...subnetsQuery(project, vpc), throwOnError: false }).data ?? []
  const { ipv6Prefix } = useQuery({ ...viewQuery(kinds.vpc, vpc, scope), throwOnError: false }).data ?? {}
  const known = { ipv6Prefix, subnets }
  return (
    <CreateForm
      kind={kinds.vpcSubnet}
      values={empty}
      toBody={async ({ name, description, ipv4Block, ipv6Block, ...router }, form) => ({
        name,
        description,
        ipv4Block: ipv4Block.trim(),
        ...(ipv6Block.trim() === '' ? {} : { ipv6Block: ipv6Block.trim() }),
        ...(await routerOf(router, scope, (id) => form.setValue('customRouter', id))),
      })}
    >
      {(form) => (
        <>
          <hr className="border-line-faint" />
          <TextControl
            name="ipv4Block"
            control={form.control}
            label="IPv4 block"
            required
            mono
            hint="A private range, for example 10.0.0.0/24"
            validate={validateBlock(4, known)}
          />
          <TextControl
            name="ipv6Block"
            control={form.control}
            label="IPv6 block"
            mono
            hint={`A /64${ipv6Prefix ? ` of ${ipv6Prefix}` : ' of the VPC'}. If left blank, a free one is chosen.`}
            validate={(text) => (text.trim() === '' ? undefined : validateBlock(6, known)(text))}
          />
          <hr className="border-line-faint" />
          <RouterFields control={form.control} scope={scope} canMakeOne />
        </>
      )}
    </CreateForm>
  )
}

import { createFileRoute } from '@tanstack/react-router'
import { prefetch } from '#/api/query.ts'
import { RenameNotice } from '#/features/network-losses/RenameNotice.tsx'
import { RouterFields } from '#/features/vpc-routers/RouterFields.tsx'
import { routersQuery } from '#/features/vpc-names/queries.ts'
import { chosenRouter, noRouter } from '#/features/vpc-routers/queries.ts'
import { EditForm } from '#/resource/form/EditForm.tsx'
import { taggedValues } from '#/resource/form/tags.ts'
import { TagsControl } from '#/resource/form/TagsControl.tsx'
import { viewQuery } from '#/resource/kind.ts'
import { kinds } from '#/resource/kinds.ts'
import { useLoaded } from '#/resource/form/useLoaded.ts'
import { fresh, loadRowToEdit, rowRoute } from '#/resource/address/routeOptions.tsx'

export const Route = createFileRoute(
  '/_auth/projects/$project/_in/_vpc-pages/vpcs/$vpc/_page/_subnets/subnets/$subnet/edit',
)({
  ...rowRoute(kinds.vpcSubnet, { label: 'Edit subnet' }),
  ...fresh,
  loader: (match) =>
    Promise.all([loadRowToEdit(kinds.vpcSubnet, match), prefetch(routersQuery(match.params))]),
  component: EditSubnet,
})

function EditSubnet() {
  const scope = Route.useParams()
  const { id } = useLoaded(viewQuery(kinds.vpcSubnet, scope.subnet, scope))
  return (
    <EditForm
      kind={kinds.vpcSubnet}
      properties={({ ipv4Block, ipv6Block }) => [
        { label: 'IPv4 block', value: <span className="mono">{ipv4Block}</span> },
        { label: 'IPv6 block', value: <span className="mono">{ipv6Block}</span> },
      ]}
      values={({ customRouterId, ...row }) => ({
        ...taggedValues(row),
        customRouter: customRouterId ?? noRouter,
      })}
      // An update without a router detaches the one that the subnet has.
      toBody={({ name, description, customRouter }) => ({
        name,
        description,
        ...chosenRouter(customRouter),
      })}
    >
      {({ control }) => (
        <>
          <RenameNotice
            control={control}
            name={scope.subnet}
            scope={scope}
            change={{ type: 'rename_subnet', id }}
          />
          <RouterFields control={control} scope={scope} />
          <TagsControl control={control} />
        </>
      )}
    </EditForm>
  )
}

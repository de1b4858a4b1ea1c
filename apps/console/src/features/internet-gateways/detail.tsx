import { createFileRoute, useNavigate } from '@tanstack/react-router'
import DoorOpen from 'lucide-react/icons/door-open'
import { prefetch } from '#/api/query.ts'
import { poolsQuery } from '#/features/ip-pools/queries.ts'
import { sections } from '#/lib/addresses.ts'
import { viewQuery } from '#/resource/kind.ts'
import { kinds } from '#/resource/kinds.ts'
import { loadRow, rowRoute } from '#/resource/address/routeOptions.tsx'
import { useLoaded } from '#/resource/form/useLoaded.ts'
import { tagsProperty } from '#/resource/tags/tagsProperty.tsx'
import { Button } from '#/ui/button/Button.tsx'
import { DateTime } from '#/ui/value/DateTime.tsx'
import { descriptionProperty, idProperty, PropertiesTable } from '#/ui/value/PropertiesTable.tsx'
import { SideModal } from '#/ui/overlay/SideModal.tsx'
import { AttachedAddresses, AttachedPools } from './Attachments.tsx'
import { RoutesTo } from './RoutesTo.tsx'

export const Route = createFileRoute(
  '/_auth/projects/$project/_in/_vpc-pages/vpcs/$vpc/_page/_internet-gateways/internet-gateways/$gateway',
)({
  ...rowRoute(kinds.internetGateway),
  loader: ({ params }) => Promise.all([loadRow(kinds.internetGateway, params), prefetch(poolsQuery())]),
  component: GatewayPanel,
})

function GatewayPanel() {
  const scope = Route.useParams()
  const navigate = useNavigate()
  const gateway = useLoaded(viewQuery(kinds.internetGateway, scope.gateway, scope))
  const close = () => void navigate({ href: sections.internetGateway.list(scope) })
  return (
    <SideModal
      title="Internet gateway"
      resource={{ icon: DoorOpen, name: gateway.name }}
      onDismiss={close}
      footer={<Button onClick={close}>Close</Button>}
    >
      <PropertiesTable
        columns={1}
        properties={[
          { label: 'Name', value: gateway.name },
          descriptionProperty(gateway.description),
          ...tagsProperty(gateway, sections.internetGateway.list(scope)),
          idProperty(gateway.id),
          { label: 'Created', value: <DateTime date={gateway.timeCreated} /> },
        ]}
      />
      <AttachedAddresses gateway={gateway} scope={scope} />
      <AttachedPools gateway={gateway} scope={scope} />
      <RoutesTo gateway={gateway.name} scope={scope} />
    </SideModal>
  )
}

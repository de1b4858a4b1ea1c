import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute, useNavigate } from '@tanstack/react-router'
import { prefetch } from '#/api/query.ts'
import { ActivityInPanel } from '#/features/audit-log/lazyActivity.ts'
import { sledsQuery } from '#/features/hardware/kinds.ts'
import { sections } from '#/lib/addresses.ts'
import { viewQuery } from '#/resource/kind.ts'
import { loadRow, rowRoute } from '#/resource/address/routeOptions.tsx'
import { tagsProperty } from '#/resource/tags/tagsProperty.tsx'
import { Button } from '#/ui/button/Button.tsx'
import { SideModal } from '#/ui/overlay/SideModal.tsx'
import { Address } from '#/ui/value/Address.tsx'
import { idProperty, PropertiesTable } from '#/ui/value/PropertiesTable.tsx'
import { viewedProbe } from './kinds.ts'
import { SledName } from './sleds.tsx'

export const Route = createFileRoute('/_auth/projects/$project/_in/_probes/probes/$probe')({
  // The operations stay out of the route tree, which comes with every page.
  ...rowRoute({ name: 'probe', section: sections.probe }),
  loader: ({ params }) => Promise.all([loadRow(viewedProbe, params), prefetch(sledsQuery())]),
  component: ProbePanel,
})

function ProbePanel() {
  const params = Route.useParams()
  const navigate = useNavigate()
  const { data } = useSuspenseQuery(viewQuery(viewedProbe, params.probe, params))
  const close = () => void navigate({ href: sections.probe.list(params.project) })
  const { interface: nic } = data
  const properties = [
    idProperty(data.id),
    ...tagsProperty(data, sections.probe.list(params.project)),
    { label: 'Sled', value: <SledName id={data.sled} plain /> },
    { label: 'Private IP', value: <Address ip={nic.ip} /> },
    ...data.externalIps.map(({ ip }) => ({ label: 'External IP', value: <Address ip={ip} /> })),
    { label: 'Subnet', value: <span className="mono">{nic.subnet}</span> },
    { label: 'MAC address', value: <Address ip={nic.mac} /> },
    { label: 'Virtual network', value: <span className="mono">{nic.vni}</span> },
  ]
  return (
    <SideModal
      title="Probe"
      resource={{ icon: viewedProbe.icon, name: data.name }}
      onDismiss={close}
      footer={<Button onClick={close}>Close</Button>}
    >
      <PropertiesTable columns={1} properties={properties} />
      <ActivityInPanel resource={`probe:${data.id}`} />
    </SideModal>
  )
}

import { createFileRoute } from '@tanstack/react-router'
import { prefetch } from '#/api/query.ts'
import { PoolName } from '#/features/ip-pools/PoolName.tsx'
import { poolsQuery } from '#/features/ip-pools/queries.ts'
import { EditForm } from '#/resource/EditForm.tsx'
import { kinds } from '#/resource/kinds.ts'
import { loadRow, rowRoute } from '#/resource/routeOptions.tsx'
import { Address } from '#/ui/Address.tsx'
import { AttachedInstance } from './floatingIps.tsx'

export const Route = createFileRoute(
  '/_auth/projects/$project/_in/_floating-ips/floating-ips/$floatingIp/edit',
)({
  ...rowRoute(kinds.floatingIp, { label: 'Edit floating IP' }),
  loader: ({ params }) => Promise.all([loadRow(kinds.floatingIp, params), prefetch(poolsQuery())]),
  component: EditFloatingIp,
})

function EditFloatingIp() {
  const { project } = Route.useParams()
  return (
    <EditForm
      kind={kinds.floatingIp}
      properties={({ ip, ipPoolId, instanceId }) => [
        { label: 'IP Address', value: <Address ip={ip} /> },
        { label: 'IP Pool', value: <PoolName id={ipPoolId} /> },
        { label: 'Instance', value: <AttachedInstance project={project} id={instanceId} /> },
      ]}
    />
  )
}

import { createFileRoute } from '@tanstack/react-router'
import { prefetch } from '#/api/query.ts'
import { ActivityInPanel } from '#/features/audit-log/lazyActivity.ts'
import { PoolName } from '#/features/ip-pools/PoolName.tsx'
import { poolsQuery } from '#/features/ip-pools/queries.ts'
import { EditForm } from '#/resource/form/EditForm.tsx'
import { ProtectionControl, protectableValues } from '#/resource/form/ProtectionControl.tsx'
import { viewQuery } from '#/resource/kind.ts'
import { kinds } from '#/resource/kinds.ts'
import { fresh, loadRowToEdit, rowRoute } from '#/resource/address/routeOptions.tsx'
import { useLoaded } from '#/resource/form/useLoaded.ts'
import { Address } from '#/ui/value/Address.tsx'
import { AttachedInstance } from './floatingIps.tsx'

export const Route = createFileRoute(
  '/_auth/projects/$project/_in/_floating-ips/floating-ips/$floatingIp/edit',
)({
  ...rowRoute(kinds.floatingIp, { label: 'Edit floating IP' }),
  ...fresh,
  loader: (match) => Promise.all([loadRowToEdit(kinds.floatingIp, match), prefetch(poolsQuery())]),
  component: EditFloatingIp,
})

function EditFloatingIp() {
  const { project, floatingIp } = Route.useParams()
  const { id } = useLoaded(viewQuery(kinds.floatingIp, floatingIp, { project }))
  return (
    <EditForm
      kind={kinds.floatingIp}
      values={protectableValues}
      properties={({ ip, ipPoolId, instanceId }) => [
        { label: 'IP Address', value: <Address ip={ip} /> },
        { label: 'IP Pool', value: <PoolName id={ipPoolId} /> },
        { label: 'Instance', value: <AttachedInstance project={project} id={instanceId} /> },
      ]}
    >
      {({ control }) => (
        <>
          <ProtectionControl control={control} />
          <ActivityInPanel resource={`floating-ip:${id}`} />
        </>
      )}
    </EditForm>
  )
}

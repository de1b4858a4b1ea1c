import { instanceExternalIpList } from '@purlin/contract/operations/instances'
import { floatingIpList, floatingIpUpdate, floatingIpView } from '@purlin/contract/operations/networks'
import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute, useNavigate } from '@tanstack/react-router'
import Globe from 'lucide-react/icons/globe'
import { useForm } from 'react-hook-form'
import { invalidate, load, prefetch, query, remember } from '../../../../../api.ts'
import { useProjectRole } from '../../../../../parts/access/useProjectRole.ts'
import { InstanceName } from '../../../../../parts/instance/InstanceName.tsx'
import { Address } from '../../../../../parts/network/Address.tsx'
import { PoolName } from '../../../../../parts/network/PoolName.tsx'
import { poolsQuery } from '../../../../../parts/network/reads.ts'
import { PanelError } from '../../../../../parts/PanelError.tsx'
import { ResourceForm } from '../../../../../parts/ResourceForm.tsx'
import { tellDone } from '../../../../../parts/toasts.tsx'
import { paths } from '../../../../../paths.ts'
import { send } from '../../../../../send.ts'
import { DateTime } from '../../../../../ui/DateTime.tsx'
import { DescriptionControl } from '../../../../../ui/form/DescriptionControl.tsx'
import { NameControl } from '../../../../../ui/form/NameControl.tsx'
import { idProperty, PropertiesTable } from '../../../../../ui/PropertiesTable.tsx'

const argsOf = ({ project, floatingIp }: { project: string; floatingIp: string }) => ({
  params: { floatingIp },
  query: { project },
})

export const Route = createFileRoute(
  '/_auth/projects/$project/_in/_floating-ips/floating-ips/$floatingIp/edit',
)({
  loader: ({ params }) => Promise.all([load(query(floatingIpView, argsOf(params))), prefetch(poolsQuery())]),
  staticData: { crumb: { label: 'Edit floating IP', titleOnly: true } },
  component: EditFloatingIp,
  errorComponent: Failed,
})

function Failed({ error }: { error: unknown }) {
  return <PanelError error={error} href={paths.floatingIps(Route.useParams().project)} />
}

function EditFloatingIp() {
  const params = Route.useParams()
  const { project } = params
  const navigate = useNavigate()
  const { lacks } = useProjectRole(project)
  const { data } = useSuspenseQuery(query(floatingIpView, argsOf(params)))
  const form = useForm({ defaultValues: { name: data.name, description: data.description } })
  const close = () => navigate({ href: paths.floatingIps(project), ignoreBlocker: true })
  const update = async (body: { name: string; description: string }) => {
    const changed = await send(floatingIpUpdate, { params: { floatingIp: data.id }, query: {}, body })
    remember(floatingIpView, argsOf({ project, floatingIp: changed.name }), changed)
    void invalidate(floatingIpList, instanceExternalIpList)
    tellDone('Floating IP', body.name, 'updated')
    await close()
  }
  return (
    <ResourceForm
      title="Edit floating IP"
      submitLabel="Update floating IP"
      resource={
        <>
          <Globe aria-hidden /> {data.name}
        </>
      }
      form={form}
      onSubmit={update}
      onDismiss={() => void close()}
      submitDisabledReason={lacks('collaborator')}
    >
      <PropertiesTable
        columns={1}
        properties={[
          idProperty(data.id),
          { label: 'Created', value: <DateTime date={data.timeCreated} /> },
          { label: 'Updated', value: <DateTime date={data.timeModified} /> },
          { label: 'IP Address', value: <Address ip={data.ip} /> },
          { label: 'IP Pool', value: <PoolName id={data.ipPoolId} /> },
          {
            label: 'Instance',
            value: data.instanceId && (
              <InstanceName project={project} id={data.instanceId} tab="networking" />
            ),
          },
        ]}
      />
      <NameControl name="name" control={form.control} />
      <DescriptionControl name="description" control={form.control} />
    </ResourceForm>
  )
}

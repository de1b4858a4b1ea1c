import { floatingIpCreate, floatingIpList } from '@purlin/contract/operations/networks'
import { useQuery } from '@tanstack/react-query'
import { createFileRoute, useNavigate } from '@tanstack/react-router'
import { useForm } from 'react-hook-form'
import { invalidate, prefetch } from '../../../../../api.ts'
import { validateIp } from '../../../../../lib/ip.ts'
import { useProjectRole } from '../../../../../parts/access/useProjectRole.ts'
import { defaultPool, poolChoices } from '../../../../../parts/network/pools.tsx'
import { poolsQuery } from '../../../../../parts/network/reads.ts'
import { ResourceForm } from '../../../../../parts/ResourceForm.tsx'
import { tellDone } from '../../../../../parts/toasts.tsx'
import { paths } from '../../../../../paths.ts'
import { ApiError, errorMessage, send } from '../../../../../send.ts'
import { DescriptionControl } from '../../../../../ui/form/DescriptionControl.tsx'
import { ListboxControl } from '../../../../../ui/form/ListboxControl.tsx'
import { NameControl } from '../../../../../ui/form/NameControl.tsx'
import { TextControl } from '../../../../../ui/form/TextControl.tsx'

export const Route = createFileRoute('/_auth/projects/$project/_in/_floating-ips/floating-ips-new')({
  loader: () => prefetch(poolsQuery()),
  staticData: { crumb: { label: 'New Floating IP', titleOnly: true } },
  component: CreateFloatingIp,
})

interface Values {
  name: string
  description: string
  pool: string
  /** Empty for the lowest free one. */
  ip: string
}

const isTaken = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.message === 'Requested external IP address not available'

function CreateFloatingIp() {
  const { project } = Route.useParams()
  const navigate = useNavigate()
  const { lacks } = useProjectRole(project)
  const pools = useQuery({ ...poolsQuery(), throwOnError: false })
  const list = pools.data ?? []
  const form = useForm<Values>({
    defaultValues: { name: '', description: '', pool: defaultPool(list), ip: '' },
  })
  const { control } = form
  const close = () => navigate({ href: paths.floatingIps(project), ignoreBlocker: true })
  const create = async ({ ip, ...rest }: Values) => {
    const body = { ...rest, ...(ip.trim() === '' ? {} : { ip: ip.trim() }) }
    const made = await send(floatingIpCreate, { query: { project }, body }).catch((error: unknown) => {
      if (isTaken(error)) form.setError('ip', { message: errorMessage(error) }, { shouldFocus: true })
      throw error
    })
    void invalidate(floatingIpList)
    tellDone('Floating IP', made.name, 'created')
    await close()
  }
  return (
    <ResourceForm
      title="Create floating IP"
      form={form}
      onSubmit={create}
      onDismiss={() => void close()}
      submitDisabledReason={
        lacks('collaborator') ??
        (pools.data && list.length === 0 ? 'The silo has no IP pool to take an address from' : undefined)
      }
    >
      <NameControl name="name" control={control} />
      <DescriptionControl name="description" control={control} />
      <hr className="border-line-faint" />
      <ListboxControl
        name="pool"
        control={control}
        label="IP pool"
        required
        placeholder="Select a pool"
        loading={pools.isPending}
        hint={pools.error && `The pools could not be read: ${errorMessage(pools.error)}`}
        items={poolChoices(list)}
      />
      <TextControl
        name="ip"
        control={control}
        label="IP address"
        mono
        hint="A free address of the pool. The lowest one is taken if left blank."
        validate={(text) => (text.trim() === '' ? undefined : validateIp(text))}
      />
    </ResourceForm>
  )
}

import { messages } from '@purlin/contract/rules/messages'
import { useQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { prefetch } from '#/api/query.ts'
import { errorMessage, hasMessage } from '#/api/errors.ts'
import { defaultPool, poolChoices } from '#/features/ip-pools/pools.tsx'
import { poolsQuery } from '#/features/ip-pools/queries.ts'
import { validateIpWithoutZone } from '#/lib/input/ip.ts'
import { CreateForm } from '#/resource/form/CreateForm.tsx'
import { kinds } from '#/resource/kinds.ts'
import { formRoute } from '#/resource/address/routeOptions.tsx'
import { ListboxControl } from '#/ui/form/ListboxControl.tsx'
import { TextControl } from '#/ui/form/TextControl.tsx'

export const Route = createFileRoute('/_auth/projects/$project/_in/_floating-ips/floating-ips-new')({
  ...formRoute('New Floating IP'),
  loader: () => prefetch(poolsQuery()),
  component: CreateFloatingIp,
})

function CreateFloatingIp() {
  const pools = useQuery({ ...poolsQuery(), throwOnError: false })
  const list = pools.data ?? []
  return (
    <CreateForm
      kind={kinds.floatingIp}
      disabledReason={
        pools.data && list.length === 0 ? 'The silo has no IP pool to allocate an address from' : undefined
      }
      values={{ name: '', description: '', pool: defaultPool(list), ip: '' }}
      toBody={({ ip, ...body }) => ({ ...body, ...(ip.trim() === '' ? {} : { ip: ip.trim() }) })}
      onError={(error, form) =>
        hasMessage(error, messages.externalIpNotAvailable) &&
        form.setError('ip', { message: errorMessage(error) }, { shouldFocus: true })
      }
    >
      {({ control }) => (
        <>
          <hr className="border-line-faint" />
          <ListboxControl
            name="pool"
            control={control}
            label="IP pool"
            required
            placeholder="Select a pool"
            loading={pools.isPending}
            hint={pools.error && `Could not load the pools: ${errorMessage(pools.error)}`}
            items={poolChoices(list)}
          />
          <TextControl
            name="ip"
            control={control}
            label="IP address"
            mono
            hint="An available address of the pool. If left blank, the lowest one is used."
            validate={(text) => (text.trim() === '' ? undefined : validateIpWithoutZone(text))}
          />
        </>
      )}
    </CreateForm>
  )
}

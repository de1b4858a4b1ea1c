import { useQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { errorMessage } from '#/api/errors.ts'
import { prefetch } from '#/api/query.ts'
import { sledsQuery } from '#/features/hardware/kinds.ts'
import { MissingPool } from '#/features/ip-pools/MissingPool.tsx'
import { defaultPool, poolChoices } from '#/features/ip-pools/pools.tsx'
import { poolsQuery } from '#/features/ip-pools/queries.ts'
import { CreateForm } from '#/resource/form/CreateForm.tsx'
import { formRoute } from '#/resource/address/routeOptions.tsx'
import { ListboxControl } from '#/ui/form/ListboxControl.tsx'
import { probe } from './kinds.ts'
import { sledChoices, useSleds } from './sleds.tsx'

export const Route = createFileRoute('/_auth/projects/$project/_in/_probes/probes-new')({
  ...formRoute('New probe'),
  loader: () => prefetch(sledsQuery(), poolsQuery()),
  component: CreateProbe,
})

const whyNot = (what: string, error: Error | null) =>
  error && `Could not load the ${what}: ${errorMessage(error)}`

function CreateProbe() {
  const sleds = useSleds()
  const pools = useQuery({ ...poolsQuery(), throwOnError: false })
  const places = sledChoices(sleds.data ?? [])
  const list = pools.data ?? []
  const disabledReason =
    sleds.data && places.length === 0
      ? 'No sled answers that is not in maintenance'
      : pools.data && list.length === 0
        ? 'The silo has no IP pool'
        : undefined
  return (
    <CreateForm
      kind={probe}
      disabledReason={disabledReason}
      values={{ name: '', description: '', sled: '', ipPool: defaultPool(list) }}
    >
      {({ control, setValue }) => (
        <>
          <hr className="border-line-faint" />
          {pools.data?.length === 0 && <MissingPool onMade={(name) => setValue('ipPool', name)} />}
          <ListboxControl
            name="sled"
            control={control}
            label="Sled"
            required
            placeholder="Select a sled"
            loading={sleds.isPending}
            hint={whyNot('sleds', sleds.error) ?? 'Sleds that answer and are not in maintenance.'}
            items={places}
          />
          <ListboxControl
            name="ipPool"
            control={control}
            label="IP pool"
            required
            placeholder="Select a pool"
            loading={pools.isPending}
            hint={whyNot('pools', pools.error) ?? 'Its external address is the lowest free one of the pool.'}
            items={poolChoices(list)}
          />
        </>
      )}
    </CreateForm>
  )
}

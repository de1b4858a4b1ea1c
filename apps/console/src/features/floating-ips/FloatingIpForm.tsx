import { useQuery } from '@tanstack/react-query'
import { errorMessage } from '#/api/errors.ts'
import { MissingPool } from '#/features/ip-pools/MissingPool.tsx'
import { defaultPool, poolChoices } from '#/features/ip-pools/pools.tsx'
import { poolsQuery } from '#/features/ip-pools/queries.ts'
import { validateIpWithoutZone } from '#/lib/input/ip.ts'
import { CreateForm, type CreateFormProps } from '#/resource/form/CreateForm.tsx'
import type { FormValues } from '#/resource/form/IdentityControls.tsx'
import { kinds } from '#/resource/kinds.ts'
import { ListboxControl } from '#/ui/form/ListboxControl.tsx'
import { TextControl } from '#/ui/form/TextControl.tsx'

export type FloatingIpFormProps = Pick<
  CreateFormProps<'floatingIp', typeof kinds.floatingIp.create, FormValues>,
  'scope' | 'onCreated' | 'onDismiss' | 'animate'
>

/** The form of a new floating IP, in the project of the address unless `scope` names one. */
export function FloatingIpForm(props: FloatingIpFormProps) {
  const pools = useQuery({ ...poolsQuery(), throwOnError: false })
  const list = pools.data ?? []
  const hasNoPool = pools.data?.length === 0
  return (
    <CreateForm
      kind={kinds.floatingIp}
      disabledReason={hasNoPool ? 'The silo has no IP pool to allocate an address from' : undefined}
      values={{ name: '', description: '', pool: defaultPool(list), ip: '' }}
      toBody={({ ip, ...body }) => ({ ...body, ...(ip.trim() === '' ? {} : { ip: ip.trim() }) })}
      {...props}
    >
      {({ control, setValue }) => (
        <>
          <hr className="border-line-faint" />
          {hasNoPool && <MissingPool onMade={(name) => setValue('pool', name)} />}
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

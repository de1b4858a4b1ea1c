import { useQuery } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { errorMessage } from '#/api/errors.ts'
import { MissingPool } from '#/features/ip-pools/MissingPool.tsx'
import { poolChoices } from '#/features/ip-pools/pools.tsx'
import { poolsQuery } from '#/features/ip-pools/queries.ts'
import { ModalForm } from '#/resource/form/ModalForm.tsx'
import { addToast } from '#/ui/feedback/toast.ts'
import { DescriptionControl } from '#/ui/form/DescriptionControl.tsx'
import { ListboxControl } from '#/ui/form/ListboxControl.tsx'
import { NameControl } from '#/ui/form/NameControl.tsx'
import { attachedToast, attachPool, poolRequest } from './detach.tsx'
import { nothingAttached, type AttachProps, type AttachedPool } from './queries.ts'

/** Attaches a pool of the silo to a gateway. */
export function AttachPoolDialog({ gateway, taken, onDismiss }: AttachProps<AttachedPool>) {
  const form = useForm({ defaultValues: { ...nothingAttached, ipPool: '' } })
  const pools = useQuery({ ...poolsQuery(), throwOnError: false })
  const free = (pools.data ?? []).filter(({ id }) => taken.every(({ ipPoolId }) => ipPoolId !== id))
  const hasNone = pools.data?.length === 0
  const choose = (pool: string) => {
    form.setValue('ipPool', pool, { shouldDirty: true })
    if (form.getValues('name') === '') form.setValue('name', pool)
  }
  return (
    <ModalForm
      title="Attach IP pool"
      submitLabel="Attach"
      form={form}
      onSubmit={async (body) => {
        addToast(attachedToast('IP pool', body.ipPool, await attachPool(gateway, body)))
        onDismiss()
      }}
      request={(body) => poolRequest(gateway, body)}
      draft={{ form: 'gatewayPool', place: gateway }}
      onDismiss={onDismiss}
      submitDisabledReason={
        hasNone
          ? 'The silo has no IP pool'
          : pools.data && free.length === 0
            ? 'All IP pools of the silo are attached'
            : undefined
      }
    >
      {hasNone && <MissingPool onMade={choose} />}
      <ListboxControl
        name="ipPool"
        control={form.control}
        label="IP pool"
        required
        placeholder="Select a pool"
        loading={pools.isPending}
        hint={pools.error && `Could not load the pools: ${errorMessage(pools.error)}`}
        items={poolChoices(free)}
        onValue={choose}
      />
      <NameControl name="name" control={form.control} />
      <DescriptionControl name="description" control={form.control} />
    </ModalForm>
  )
}

import { useForm } from 'react-hook-form'
import type { ApiRequest } from '#/api/request.ts'
import { ModalForm } from '#/resource/form/ModalForm.tsx'
import { MissingPool } from '#/features/ip-pools/MissingPool.tsx'
import { defaultPool, poolChoices } from '#/features/ip-pools/pools.tsx'
import type { IpPool } from '#/features/ip-pools/queries.ts'
import { ListboxControl } from '#/ui/form/ListboxControl.tsx'

export interface AttachEphemeralIpDialogProps {
  pools: readonly IpPool[]
  /** Attaches an address of the pool named. What it throws is shown inside. */
  onSubmit: (pool: string) => Promise<unknown>
  request: (pool: string) => ApiRequest
  onDismiss: () => void
}

/** Chooses the pool of an ephemeral IP. */
export function AttachEphemeralIpDialog({
  pools,
  onSubmit,
  request,
  onDismiss,
}: AttachEphemeralIpDialogProps) {
  const form = useForm({ defaultValues: { pool: defaultPool(pools) } })
  return (
    <ModalForm
      title="Attach ephemeral IP"
      submitLabel="Attach"
      form={form}
      onSubmit={({ pool }) => onSubmit(pool)}
      request={({ pool }) => request(pool)}
      onDismiss={onDismiss}
      submitDisabledReason={pools.length === 0 ? 'The silo has no IP pool' : undefined}
    >
      <p className="text-secondary">
        An ephemeral IP is allocated from a pool. It is released when it is detached or its instance is
        deleted.
      </p>
      {pools.length === 0 && <MissingPool onMade={(pool) => form.setValue('pool', pool)} />}
      <ListboxControl
        name="pool"
        control={form.control}
        label="IP pool"
        required
        placeholder="Select a pool"
        items={poolChoices(pools)}
      />
    </ModalForm>
  )
}

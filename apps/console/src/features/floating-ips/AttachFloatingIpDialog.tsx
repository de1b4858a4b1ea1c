import { useQuery } from '@tanstack/react-query'
import { useForm, useWatch } from 'react-hook-form'
import { ListboxControl } from '#/ui/form/ListboxControl.tsx'
import { Notice } from '#/ui/Notice.tsx'
import { ModalForm } from '#/resource/ModalForm.tsx'
import { poolsQuery, type FloatingIp } from '#/features/ip-pools/queries.ts'

export interface AttachFloatingIpDialogProps {
  /** Those that can be chosen. */
  free: readonly FloatingIp[]
  submitLabel?: string
  /** Attaches the address, or collects it. What it throws is shown inside. */
  onSubmit: (floatingIp: FloatingIp) => unknown
  onDismiss: () => void
}

/** Chooses a floating IP for one instance. */
export function AttachFloatingIpDialog({
  free,
  submitLabel,
  onSubmit,
  onDismiss,
}: AttachFloatingIpDialogProps) {
  const title = 'Attach floating IP'
  const form = useForm({ defaultValues: { floatingIp: '' } })
  const id = useWatch({ control: form.control, name: 'floatingIp' })
  const pools = useQuery({ ...poolsQuery(), throwOnError: false }).data ?? []
  const chosen = free.find((one) => one.id === id)
  return (
    <ModalForm
      title={title}
      submitLabel={submitLabel ?? title}
      form={form}
      onSubmit={async () => chosen && onSubmit(chosen)}
      onDismiss={onDismiss}
      submitDisabledReason={chosen ? undefined : 'Select a floating IP first'}
    >
      <Notice>
        This instance will be reachable at{' '}
        {chosen ? <span className="mono text-ink">{chosen.ip}</span> : 'the selected IP'}.
      </Notice>
      <ListboxControl
        name="floatingIp"
        control={form.control}
        label="Floating IP"
        required
        placeholder="Select a floating IP"
        items={free.map((one) => ({
          value: one.id,
          label: one.name,
          description: [one.ip, pools.find((pool) => pool.id === one.ipPoolId)?.name, one.description]
            .filter(Boolean)
            .join(' / '),
          selectedLabel: `${one.name} (${one.ip})`,
        }))}
      />
    </ModalForm>
  )
}

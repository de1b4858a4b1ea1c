import { useForm, useWatch } from 'react-hook-form'
import { ComboboxControl } from '#/ui/form/ComboboxControl.tsx'
import { Notice } from '#/ui/feedback/Notice.tsx'
import type { ApiRequest } from '#/api/request.ts'
import { ModalForm } from '#/resource/form/ModalForm.tsx'
import type { FloatingIp } from '#/features/ip-pools/queries.ts'
import { useFreeFloatingIps } from './useFreeFloatingIps.ts'

export interface AttachFloatingIpDialogProps {
  project: string
  /** Names of those that are chosen already. */
  except?: readonly string[]
  submitLabel?: string
  /** Attaches the address, or collects it. What it throws is shown inside. */
  onSubmit: (floatingIp: FloatingIp) => unknown
  /** The request that attaches one by id; null if they are collected. */
  request: ((floatingIp: string) => ApiRequest) | null
  onDismiss: () => void
}

/** Chooses a floating IP for one instance. */
export function AttachFloatingIpDialog({
  project,
  except = [],
  submitLabel,
  onSubmit,
  request,
  onDismiss,
}: AttachFloatingIpDialogProps) {
  const title = 'Attach floating IP'
  const form = useForm({ defaultValues: { floatingIp: '' } })
  const id = useWatch({ control: form.control, name: 'floatingIp' })
  const free = useFreeFloatingIps(project, { value: id, except })
  const { chosen } = free
  const named = (attach: ApiRequest) => ({
    ...attach,
    names: { ...attach.names, floatingIp: chosen?.name },
  })
  return (
    <ModalForm
      title={title}
      submitLabel={submitLabel ?? title}
      form={form}
      onSubmit={async () => chosen && onSubmit(chosen)}
      request={request && (({ floatingIp: id }: { floatingIp: string }) => named(request(id)))}
      onDismiss={onDismiss}
      submitDisabledReason={chosen ? undefined : 'Select a floating IP first'}
    >
      <Notice>
        This instance will be reachable at{' '}
        {chosen ? <span className="mono text-ink">{chosen.ip}</span> : 'the selected IP'}.
      </Notice>
      <ComboboxControl
        name="floatingIp"
        control={form.control}
        label="Floating IP"
        required
        placeholder="Select a floating IP"
        hint={free.problem}
        {...free.field}
      />
    </ModalForm>
  )
}

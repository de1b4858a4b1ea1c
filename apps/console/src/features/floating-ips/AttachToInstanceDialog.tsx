import { instanceExternalIpList } from '@purlin/contract/operations/external-ips'
import { instanceList } from '@purlin/contract/operations/instances'
import { useQuery } from '@tanstack/react-query'
import { useForm, useWatch } from 'react-hook-form'
import { query } from '#/api/query.ts'
import { everyPage } from '#/api/everyPage.ts'
import { externalIpLimit, ipChangeDisabledReason, reachableIps } from '#/features/external-ips/externalIps.ts'
import { ModalForm } from '#/resource/ModalForm.tsx'
import { attachFloatingIp } from './floatingIps.tsx'
import type { FloatingIp } from '#/features/ip-pools/queries.ts'
import { errorMessage } from '#/api/errors.ts'
import { ComboboxControl } from '#/ui/form/ComboboxControl.tsx'
import { Notice } from '#/ui/Notice.tsx'

export interface AttachToInstanceDialogProps {
  project: string
  floatingIp: FloatingIp
  onDismiss: () => void
}

/** Chooses the instance that a floating IP shall lead to, and attaches it. */
export function AttachToInstanceDialog({ project, floatingIp, onDismiss }: AttachToInstanceDialogProps) {
  const form = useForm({ defaultValues: { instance: '' } })
  const id = useWatch({ control: form.control, name: 'instance' })
  const instances = useQuery(everyPage(instanceList, { query: { project } }))
  const all = instances.data ?? []
  const ready = all.filter(({ runState }) => !ipChangeDisabledReason(runState))
  const chosen = all.find((instance) => instance.id === id)
  const ips = useQuery({
    ...query(instanceExternalIpList, { params: { instance: id }, query: {} }),
    enabled: id !== '',
    throwOnError: false,
  })
  return (
    <ModalForm
      title="Attach floating IP"
      submitLabel="Attach"
      form={form}
      onSubmit={async () => {
        await attachFloatingIp(floatingIp, id)
        onDismiss()
      }}
      onDismiss={onDismiss}
      submitDisabledReason={externalIpLimit(reachableIps(ips.data?.items ?? []).length)}
    >
      <Notice>
        {chosen?.name ?? 'The selected instance'} will be reachable at{' '}
        <span className="mono text-ink">{floatingIp.ip}</span>.
      </Notice>
      <ComboboxControl
        name="instance"
        control={form.control}
        required
        placeholder="Select an instance"
        loading={instances.isPending}
        hint={
          instances.error
            ? `The instances could not be loaded: ${errorMessage(instances.error)}`
            : instances.data && leftOut(all.length - ready.length, ready.length)
        }
        items={ready.map(({ id, name, runState }) => ({ value: id, label: name, description: runState }))}
      />
    </ModalForm>
  )
}

function leftOut(count: number, ready: number): string | undefined {
  if (count === 0) return ready === 0 ? 'The project has no instances.' : undefined
  return count === 1
    ? 'One instance is not listed because its addresses cannot be changed in its current state.'
    : `${count} instances are not listed because their addresses cannot be changed in their current state.`
}

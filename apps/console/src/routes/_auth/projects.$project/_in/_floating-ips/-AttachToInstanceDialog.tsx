import { instanceExternalIpList, instanceList } from '@purlin/contract/operations/instances'
import { useQuery } from '@tanstack/react-query'
import { useForm, useWatch } from 'react-hook-form'
import { query } from '../../../../../api.ts'
import { everyPage } from '../../../../../parts/everyPage.ts'
import { externalIpLimit, ipChangeRefusal, reachableIps } from '../../../../../parts/instance/externalIps.ts'
import { ModalForm } from '../../../../../parts/instance/ModalForm.tsx'
import { attachFloatingIp } from '../../../../../parts/network/floatingIps.tsx'
import type { FloatingIp } from '../../../../../parts/network/reads.ts'
import { errorMessage } from '../../../../../send.ts'
import { ComboboxControl } from '../../../../../ui/form/ComboboxControl.tsx'
import { Notice } from '../../../../../ui/Notice.tsx'

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
  const ready = all.filter(({ runState }) => !ipChangeRefusal(runState))
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
            ? `The instances could not be read: ${errorMessage(instances.error)}`
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
    ? 'One instance is not offered: it is in a state in which its addresses cannot change.'
    : `${count} instances are not offered: they are in states in which their addresses cannot change.`
}

import { instanceExternalIpList } from '@purlin/contract/operations/addresses/external-ips'
import { instanceCan, instanceStates } from '@purlin/contract/rules/states'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import { query } from '#/api/query.ts'
import { externalIpLimit, ipChangeDisabledReason, reachableIps } from '#/features/external-ips/externalIps.ts'
import type { Named } from '#/resource/kind.ts'
import { kinds } from '#/resource/kinds.ts'
import { ModalForm } from '#/resource/form/ModalForm.tsx'
import { inStates, usePicker } from '#/resource/form/usePicker.ts'
import { attachFloatingIp, attachRequest, moveFloatingIp } from './floatingIps.tsx'
import type { FloatingIp } from '#/features/ip-pools/queries.ts'
import { ComboboxControl } from '#/ui/form/ComboboxControl.tsx'
import { Notice } from '#/ui/feedback/Notice.tsx'

export interface AttachToInstanceDialogProps {
  project: string
  floatingIp: Pick<FloatingIp, 'id' | 'name' | 'ip' | 'instanceId'>
  /** The instance, if it is known. */
  given?: Named | undefined
  onDismiss: () => void
}

const ready = inStates(instanceStates, (state) => instanceCan('changeExternalIps', state))

/** Chooses the instance that a floating IP shall lead to, and attaches it, or moves it there from its instance. */
export function AttachToInstanceDialog({
  project,
  floatingIp,
  given,
  onDismiss,
}: AttachToInstanceDialogProps) {
  const { instanceId: former } = floatingIp
  const verb = former ? 'Move' : 'Attach'
  const form = useForm({ defaultValues: { instance: given?.id ?? '' } })
  const id = useWatch({ control: form.control, name: 'instance' })
  const instances = usePicker(kinds.instance, {
    scope: { project },
    value: id,
    by: 'id',
    filter: ready,
    except: former ? [former] : [],
    fits: ({ runState }) => instanceCan('changeExternalIps', runState),
    choice: ({ runState }) => ({ description: runState }),
  })
  const ips = useQuery({
    ...query(instanceExternalIpList, { params: { instance: id }, query: {} }),
    enabled: id !== '',
    throwOnError: false,
  })
  return (
    <ModalForm
      title={`${verb} floating IP`}
      submitLabel={verb}
      form={form}
      onSubmit={async ({ instance }) => {
        await (former
          ? moveFloatingIp(floatingIp, { from: former, to: instance })
          : attachFloatingIp(floatingIp, instance))
        onDismiss()
      }}
      request={({ instance }) => ({
        ...attachRequest(floatingIp.id, instance, former ? { move: true } : {}),
        names: { project, floatingIp: floatingIp.name, instance: instances.chosen?.name },
      })}
      onDismiss={onDismiss}
      submitDisabledReason={
        (id !== '' && id === former && 'The address leads to this instance already') ||
        (instances.chosen && ipChangeDisabledReason(instances.chosen.runState)) ||
        externalIpLimit(reachableIps(ips.data?.items ?? []).length)
      }
    >
      {(send) => (
        <>
          <Notice>
            {instances.chosen?.name ?? 'The selected instance'} will be reachable at{' '}
            <span className="mono text-ink">{floatingIp.ip}</span>
            {former ? ', and its present instance no longer.' : '.'}
          </Notice>
          <EnterSends onEnter={() => form.getValues('instance') !== '' && send()}>
            <ComboboxControl
              name="instance"
              control={form.control}
              required
              placeholder="Select an instance"
              hint={
                instances.problem ??
                leftOut(instances.totals?.['state'], instances.isEmpty) ??
                `Type its name: Enter chooses it, and ${former ? 'moves' : 'attaches'} the address.`
              }
              {...instances.field}
            />
          </EnterSends>
        </>
      )}
    </ModalForm>
  )
}

/** The key that chooses the only field sends the form as well: both can be undone. */
const EnterSends = ({ onEnter, children }: { onEnter: () => void; children: ReactNode }) => (
  <div role="presentation" onKeyUp={({ key }) => key === 'Enter' && onEnter()}>
    {children}
  </div>
)

/** Says how many instances of a project are not offered, by how many there are in each state. */
function leftOut(states: Record<string, number> = {}, isEmpty = false): string | undefined {
  const others = Object.entries(states).filter(([state]) => !ready.includes(`state:${state}`))
  const count = others.reduce((sum, [, of]) => sum + of, 0)
  if (count === 0) return isEmpty ? 'No instance of the project can be given an address now.' : undefined
  return count === 1
    ? 'One instance is not listed because its addresses cannot be changed in its current state.'
    : `${count} instances are not listed because their addresses cannot be changed in their current state.`
}

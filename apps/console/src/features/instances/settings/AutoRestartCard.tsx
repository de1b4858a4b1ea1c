import { keysOf } from '@purlin/contract/rules/keys'
import { instanceView } from '@purlin/contract/operations/instances/instances'
import { type ReactNode, type SubmitEvent, useEffect } from 'react'
import { useForm } from 'react-hook-form'
import { useRole } from '#/resource/role/useRole.ts'
import { invalidate } from '#/api/query.ts'
import { autoRestartStatus, policyOf, policyToWire, policyWords } from './autoRestart.ts'
import type { Instance, InstanceTarget } from '#/features/instance-state/update.ts'
import { restoreInstance, updateInstance } from '#/features/instance-state/values.ts'
import { useNow } from '#/ui/value/useNow.ts'
import { guides } from '#/lib/addresses.ts'
import { Button } from '#/ui/button/Button.tsx'
import { Card } from '#/ui/layout/Card.tsx'
import { DateTime } from '#/ui/value/DateTime.tsx'
import { ListboxControl } from '#/ui/form/ListboxControl.tsx'
import { ExternalLink } from '#/ui/button/link.tsx'
import { TipIcon } from '#/ui/overlay/TipIcon.tsx'
import { undoable } from '#/resource/actions/undo.tsx'
import { toastFailure } from '#/resource/actions/toasts.tsx'
import { addToast } from '#/ui/feedback/toast.ts'

const choices = keysOf(policyWords).map((value) => ({
  value,
  label: policyWords[value],
}))

/** Whether the control plane starts the instance again after a failure; may be changed in every state. */
export function AutoRestartCard({ target, instance }: { target: InstanceTarget; instance: Instance }) {
  // The form follows the instance, so that a change made elsewhere is not undone from here unseen.
  const policy = policyOf(instance)
  const form = useForm({ values: { policy }, resetOptions: { keepDirtyValues: true } })
  // An edit is kept until the instance has the same, from here or from elsewhere: from then on there is none.
  useEffect(() => {
    if (form.getValues('policy') === policy) form.resetField('policy', { defaultValue: policy })
  }, [form, policy])
  const { isDirty, isSubmitting } = form.formState
  const refused = useRole(target.project).lacks('collaborator')
  const save = form.handleSubmit(async ({ policy: chosen }) => {
    const left = { autoRestartPolicy: policyToWire(chosen) }
    const former = { autoRestartPolicy: policyToWire(policy) }
    try {
      await updateInstance(target, left)
      await invalidate(instanceView)
      const undone = `The auto-restart policy is ‘${policyWords[policy]}’ again`
      const run = () => restoreInstance(target, { left, former })
      addToast(undoable({ content: 'Instance auto-restart policy updated' }, { run, undone }))
    } catch (error) {
      toastFailure('Could not update auto-restart policy', error)
    }
  })
  const submit = (event: SubmitEvent) => void save(event)
  return (
    <form noValidate onSubmit={submit}>
      <Card
        title="Auto-restart"
        description="Whether the control plane restarts this instance after a failure"
        footer={
          <>
            <span className="grow">
              Learn more in the guide{' '}
              <ExternalLink href={guides.autoRestart.href}>{guides.autoRestart.label}</ExternalLink>
            </span>
            <Button
              type="submit"
              variant="primary"
              size="small"
              pending={isSubmitting}
              disabledReason={refused ?? (isDirty ? undefined : 'Nothing has changed')}
            >
              Save
            </Button>
          </>
        }
      >
        <ListboxControl
          name="policy"
          control={form.control}
          required
          items={choices}
          hint="The default is currently best effort. Operators of the cloud can change it."
        />
        <dl className="mt-4 grid gap-4 wide:grid-cols-2">
          <Fact
            label="Cooldown expiration"
            tip="The earliest time of the next automatic restart. N/A if there was no restart or the cooldown has passed."
          >
            <Cooldown instance={instance} />
          </Fact>
          <Fact
            label="Last auto-restarted"
            tip="The time of the last automatic restart. N/A if there was none."
          >
            {instance.timeLastAutoRestarted ? <DateTime date={instance.timeLastAutoRestarted} /> : 'N/A'}
          </Fact>
        </dl>
      </Card>
    </form>
  )
}

function Cooldown({ instance }: { instance: Instance }) {
  const expiry = instance.autoRestartCooldownExpiration
  const isFailed = instance.runState === 'failed'
  const now = useNow(isFailed)
  if (!expiry) return 'N/A'
  const status = autoRestartStatus(instance, now)
  // A cooldown that is over says nothing, except while the restart it was for is still to come.
  if (expiry.getTime() <= now && !(isFailed && status.at === 'soon')) return 'N/A'
  const words = {
    off: undefined,
    soon: 'restarting soon',
    waiting: status.at === 'waiting' ? status.left : undefined,
  }
  const rest = isFailed ? words[status.at] : undefined
  return (
    <>
      <DateTime date={expiry} />
      {rest && <span className="text-secondary"> ({rest})</span>}
    </>
  )
}

function Fact({ label, tip, children }: { label: string; tip: string; children: ReactNode }) {
  return (
    <div>
      <dt className="flex items-center gap-1.5 font-medium">
        {label} <TipIcon>{tip}</TipIcon>
      </dt>
      <dd className="mt-1">{children}</dd>
    </div>
  )
}

import { instanceView } from '@purlin/contract/operations/instances'
import { instanceCan } from '@purlin/contract/rules/instance'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import { query } from '../../../../../api.ts'
import type { GroupTarget } from '../../../../../parts/affinity/groups.ts'
import { addMember } from '../../../../../parts/affinity/membership.tsx'
import { ModalForm } from '../../../../../parts/instance/ModalForm.tsx'
import { pollInstance } from '../../../../../parts/instance/poll.ts'
import { stopAndWait } from '../../../../../parts/instance/stopAndWait.ts'
import { argsOf, type Instance } from '../../../../../parts/instance/update.ts'
import { InstanceStateBadge } from '../../../../../parts/StateBadge.tsx'
import { CheckboxControl } from '../../../../../ui/form/CheckboxControl.tsx'
import { ComboboxControl } from '../../../../../ui/form/ComboboxControl.tsx'
import { Highlight } from '../../../../../ui/Highlight.tsx'
import { Notice } from '../../../../../ui/Notice.tsx'

export interface AddMemberDialogProps {
  target: GroupTarget
  /** The instances of the project that are not in the group. */
  candidates: readonly Instance[]
  /** They are not known yet. */
  isLoading: boolean
  onDismiss: () => void
}

const mustStop = 'An instance must be stopped to add it to a group'

export function AddMemberDialog({ target, candidates, isLoading, onDismiss }: AddMemberDialogProps) {
  const { project, antiAffinityGroup } = target
  const form = useForm({ defaultValues: { instance: '', stop: false } })
  const [name, stop] = useWatch({ control: form.control, name: ['instance', 'stop'] })
  const chosen = useFresh(
    project,
    candidates.find((one) => one.name === name),
  )
  const mayJoin = !chosen || instanceCan('addToAffinityGroup', chosen.runState)
  const mayStop = chosen !== undefined && instanceCan('stop', chosen.runState)
  const dismissed = useDismissed()
  const add = async ({ instance }: { instance: string }) => {
    if (!mayJoin) await stopAndWait({ project, instance }, dismissed())
    await addMember({ project, antiAffinityGroup, instance })
    onDismiss()
  }
  const refusal = mayJoin || (mayStop && stop) ? undefined : mustStop
  return (
    <ModalForm
      title="Add instance to group"
      submitLabel="Add to group"
      form={form}
      onSubmit={add}
      onDismiss={onDismiss}
      submitDisabledReason={chosen ? refusal : 'Select an instance'}
    >
      <p className="text-secondary">
        The instance will be placed apart from the other members of <Highlight>{antiAffinityGroup}</Highlight>{' '}
        when it next starts.
      </p>
      <ComboboxControl
        name="instance"
        control={form.control}
        required
        placeholder="Select an instance"
        loading={isLoading}
        onValue={() => form.setValue('stop', false)}
        items={candidates.map(({ name: value, runState }) => ({
          value,
          label: value,
          aside: <InstanceStateBadge state={runState} />,
        }))}
      />
      {chosen && !mayJoin && (
        <Notice>
          <p>{mustStop}</p>
          <p className="mt-1 flex flex-wrap items-center gap-x-1.5 text-secondary">
            {chosen.name} is <InstanceStateBadge state={chosen.runState} />
          </p>
          {mayStop && (
            <CheckboxControl
              name="stop"
              control={form.control}
              label={`Stop ${chosen.name} first`}
              hint="It stays stopped until somebody starts it."
              className="mt-2.5"
            />
          )}
        </Notice>
      )}
    </ModalForm>
  )
}

/** The chosen instance as it is now, followed while it is on its way to another state. */
function useFresh(project: string, listed: Instance | undefined): Instance | undefined {
  const { data } = useQuery({
    ...query(instanceView, argsOf({ project, instance: listed?.name ?? '' })),
    enabled: listed !== undefined,
    refetchInterval: pollInstance,
    throwOnError: false,
  })
  return listed && (data ?? listed)
}

/** What is still to be done for the dialog ends with it. */
function useDismissed(): () => AbortSignal {
  const end = useRef(new AbortController())
  useEffect(() => {
    end.current = new AbortController()
    return () => end.current.abort()
  }, [])
  return () => end.current.signal
}

import { instanceStop, instanceView } from '@purlin/contract/operations/instances/instances'
import { instanceCan } from '@purlin/contract/rules/states'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import { query } from '#/api/query.ts'
import type { GroupTarget } from './queries.ts'
import { addMember, memberRequest } from './membership.tsx'
import { kinds } from '#/resource/kinds.ts'
import { ModalForm } from '#/resource/form/ModalForm.tsx'
import { pollInstance } from '#/features/instance-state/poll.ts'
import { stopAndWait } from '#/features/instance-state/stopAndWait.ts'
import { argsOf, moveRequest, type Instance } from '#/features/instance-state/update.ts'
import { usePicker } from '#/resource/form/usePicker.ts'
import { InstanceStateBadge } from '#/resource/list/StateBadge.tsx'
import { CheckboxControl } from '#/ui/form/CheckboxControl.tsx'
import { ComboboxControl } from '#/ui/form/ComboboxControl.tsx'
import { Highlight } from '#/ui/value/Highlight.tsx'
import { Notice } from '#/ui/feedback/Notice.tsx'

export interface AddMemberDialogProps {
  target: GroupTarget
  /** The names of its members, which are not offered. */
  members: readonly string[]
  onDismiss: () => void
}

const mustStop = 'An instance must be stopped to add it to a group'

export function AddMemberDialog({ target, members, onDismiss }: AddMemberDialogProps) {
  const { project, antiAffinityGroup } = target
  const form = useForm({ defaultValues: { instance: '', stop: false } })
  const [name, stop] = useWatch({ control: form.control, name: ['instance', 'stop'] })
  const instances = usePicker(kinds.instance, {
    scope: { project },
    value: name,
    by: 'name',
    except: members,
    choice: ({ runState }) => ({ aside: <InstanceStateBadge state={runState} /> }),
  })
  const chosen = useFresh(project, instances.chosen)
  const mayJoin = !chosen || instanceCan('addToAffinityGroup', chosen.runState)
  const mayStop = chosen !== undefined && instanceCan('stop', chosen.runState)
  const dismissed = useDismissed()
  const request = ({ instance }: { instance: string }) => {
    const add = memberRequest({ project, antiAffinityGroup, instance })
    return mayJoin ? add : [moveRequest(instanceStop, { project, instance }), add]
  }
  const add = async ({ instance }: { instance: string }) => {
    if (!mayJoin) await stopAndWait({ project, instance }, dismissed())
    await addMember({ project, antiAffinityGroup, instance })
    onDismiss()
  }
  const disabledReason = mayJoin || (mayStop && stop) ? undefined : mustStop
  return (
    <ModalForm
      title="Add instance to group"
      submitLabel="Add to group"
      form={form}
      onSubmit={add}
      request={request}
      onDismiss={onDismiss}
      submitDisabledReason={chosen ? disabledReason : 'Select an instance'}
    >
      <p className="text-secondary">
        The instance will be placed on a different sled than the other members of{' '}
        <Highlight>{antiAffinityGroup}</Highlight> when it next starts.
      </p>
      <ComboboxControl
        name="instance"
        control={form.control}
        required
        placeholder="Select an instance"
        hint={instances.problem}
        onValue={() => form.setValue('stop', false)}
        {...instances.field}
      />
      {chosen && !mayJoin && (
        <Notice>
          <p>{mustStop}</p>
          <p className="mt-1 text-secondary">
            {chosen.name} is <InstanceStateBadge state={chosen.runState} />
          </p>
          {mayStop && (
            <CheckboxControl
              name="stop"
              control={form.control}
              label={`Stop ${chosen.name} first`}
              hint="It stays stopped until it is started manually."
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

/** Remaining work for the dialog ends with it. */
function useDismissed(): () => AbortSignal {
  const end = useRef(new AbortController())
  useEffect(() => {
    end.current = new AbortController()
    return () => end.current.abort()
  }, [])
  return () => end.current.signal
}

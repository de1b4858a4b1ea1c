/** Putting an instance into a group and taking it out, from the page of either. */
import {
  antiAffinityGroupMemberInstanceAdd,
  antiAffinityGroupMemberInstanceDelete,
  antiAffinityGroupMemberList,
  instanceAntiAffinityGroupList,
} from '@purlin/contract/operations/instances/affinity-groups'
import { invalidate } from '#/api/query.ts'
import { requestTo, sendRequest } from '#/api/request.ts'
import { Highlight } from '#/ui/value/Highlight.tsx'
import { undoable } from '#/resource/actions/undo.tsx'
import { addToast } from '#/ui/feedback/toast.ts'
import { confirmAction } from '#/resource/actions/confirm.ts'
import type { InstanceTarget } from '#/features/instance-state/update.ts'
import type { GroupTarget } from './queries.ts'

/** An instance and a group of its project, by name. */
export type Membership = InstanceTarget & GroupTarget

const args = ({ project, ...params }: Membership) => ({ params, query: { project } })
const changed = () => invalidate(antiAffinityGroupMemberList, instanceAntiAffinityGroupList)

/** The request that adds the instance. */
export const memberRequest = (of: Membership) => requestTo(antiAffinityGroupMemberInstanceAdd, args(of))
const removalOf = (of: Membership) => requestTo(antiAffinityGroupMemberInstanceDelete, args(of))

async function add(of: Membership): Promise<void> {
  await sendRequest(memberRequest(of))
  await changed()
}
async function remove(of: Membership): Promise<void> {
  await sendRequest(removalOf(of))
  await changed()
}

const Done = ({
  of,
  noun,
  what,
}: {
  of: Membership
  noun: 'Member' | 'Instance'
  what: 'added to' | 'removed from'
}) => (
  <>
    {noun} <Highlight>{of.instance}</Highlight> {what} anti-affinity group{' '}
    <Highlight>{of.antiAffinityGroup}</Highlight>
  </>
)

/** Adds the instance; throws what the server says. */
export async function addMember(of: Membership): Promise<void> {
  await add(of)
  const done = (what: 'added to' | 'removed from') => <Done of={of} noun="Instance" what={what} />
  addToast(undoable({ content: done('added to') }, { run: () => remove(of), undone: done('removed from') }))
}

/** Asks, then takes the instance out of the group. */
export const askToRemoveMember = (
  of: Membership,
  { noun, ...words }: { modalTitle: string; errorTitle: string; noun: 'Member' | 'Instance' },
): void =>
  confirmAction({
    ...words,
    confirmLabel: 'Remove instance',
    modalContent: (
      <>
        <p>
          Remove <Highlight>{of.instance}</Highlight> from the anti-affinity group{' '}
          <Highlight>{of.antiAffinityGroup}</Highlight>?
        </p>
        <p>
          The instance keeps running on its sled. After its next start it can share a sled with the members.
        </p>
      </>
    ),
    actionType: 'danger',
    command: removalOf(of),
    doAction: async () => {
      await remove(of)
      const done = (what: 'added to' | 'removed from') => <Done of={of} noun={noun} what={what} />
      addToast(undoable({ content: done('removed from') }, { run: () => add(of), undone: done('added to') }))
    },
  })

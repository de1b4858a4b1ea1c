/** Putting an instance into a group and taking it out, from the page of either. */
import {
  antiAffinityGroupMemberInstanceAdd,
  antiAffinityGroupMemberInstanceDelete,
  antiAffinityGroupMemberList,
  instanceAntiAffinityGroupList,
} from '@purlin/contract/operations/affinity-groups'
import { invalidate } from '#/api/query.ts'
import { send } from '#/api/send.ts'
import { Highlight } from '#/ui/Highlight.tsx'
import { addToast } from '#/ui/toast.ts'
import { confirmAction } from '#/resource/confirm.ts'
import type { InstanceTarget } from '#/features/instance-state/update.ts'
import type { GroupTarget } from './queries.ts'

/** An instance and a group of its project, by name. */
export type Membership = InstanceTarget & GroupTarget

const args = ({ project, ...params }: Membership) => ({ params, query: { project } })
const changed = () => invalidate(antiAffinityGroupMemberList, instanceAntiAffinityGroupList)

/** Adds the instance; throws what the server says. */
export async function addMember(of: Membership): Promise<void> {
  await send(antiAffinityGroupMemberInstanceAdd, args(of))
  await changed()
  addToast({
    content: (
      <>
        Instance <Highlight>{of.instance}</Highlight> added to anti-affinity group{' '}
        <Highlight>{of.antiAffinityGroup}</Highlight>
      </>
    ),
  })
}

/** Asks, then takes the instance out of the group. */
export const askToRemoveMember = (
  of: Membership,
  { noun, ...words }: { modalTitle: string; errorTitle: string; noun: 'Member' | 'Instance' },
): void =>
  confirmAction({
    ...words,
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
    doAction: async () => {
      await send(antiAffinityGroupMemberInstanceDelete, args(of))
      await changed()
      addToast({
        content: (
          <>
            {noun} <Highlight>{of.instance}</Highlight> removed from anti-affinity group{' '}
            <Highlight>{of.antiAffinityGroup}</Highlight>
          </>
        ),
      })
    },
  })

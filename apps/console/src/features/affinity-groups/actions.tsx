import { guides } from '#/lib/addresses.ts'
import { plainActions } from '#/resource/actions/actions.tsx'
import { kinds } from '#/resource/kinds.ts'

/** Explains groups, next to the title of their screens. */
export const affinityDocs = {
  summary:
    'Members of an anti-affinity group are placed on different sleds when they start, so that the failure of one sled does not affect all of them. The policy decides whether a member can start when every available sled already runs another member.',
  links: [guides.affinity, guides.instances],
}

/** Actions on a group. `leave` leaves the page of one that is deleted. */
export const groupActions = (project: string, leave?: () => unknown) =>
  plainActions(kinds.antiAffinityGroup, project, {
    note: () => 'Its members are not changed. After their next start they can run on the same sled.',
    leave,
  })

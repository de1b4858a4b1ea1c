import Split from 'lucide-react/icons/split'
import { guides } from '../../../../../paths.ts'
import { DocsPopover } from '../../../../../ui/DocsPopover.tsx'

/** What a group is for, beside the title of its screens. */
export const AffinityDocs = () => (
  <DocsPopover
    topic="anti-affinity groups"
    icon={<Split />}
    summary="Members of an anti-affinity group are placed on different sleds when they start, so that one sled that fails does not take all of them along. The policy decides whether a member may start when no sled without another member is left."
    links={[guides.affinity, guides.instances]}
  />
)

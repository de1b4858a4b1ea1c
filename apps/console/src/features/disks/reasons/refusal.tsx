import { attachedRefusal } from '#/resource/actions/attachedRefusal.tsx'
import type { Refusal } from '#/resource/actions/confirmation.tsx'
import { Highlight } from '#/ui/value/Highlight.tsx'
import type { Disk } from '../disks.tsx'
import { detachDisabledReason, holderIdOf } from './reasons.ts'

/** The instance that prevents the deletion of a disk, and what has to be done there first. */
export async function refusal(
  project: string,
  disk: Pick<Disk, 'id' | 'name' | 'state'>,
): Promise<Refusal | undefined> {
  const instanceId = holderIdOf(disk)
  if (instanceId === undefined) return undefined
  const what = (
    <>
      Disk <Highlight>{disk.name}</Highlight>
    </>
  )
  const before = (instance: Parameters<typeof detachDisabledReason>[1]) =>
    detachDisabledReason(disk, instance)
  return attachedRefusal({ project, instanceId, what, tab: 'storage', before })
}

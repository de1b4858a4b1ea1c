import { load } from '#/api/query.ts'
import { paths } from '#/lib/addresses.ts'
import { closeConfirm } from '#/resource/actions/confirm.ts'
import type { Refusal } from '#/resource/actions/confirmation.tsx'
import { viewQuery } from '#/resource/kind.ts'
import { kinds } from '#/resource/kinds.ts'
import { TextLink } from '#/ui/button/link.tsx'
import { Highlight } from '#/ui/value/Highlight.tsx'
import type { Disk } from '../disks.tsx'
import { detachDisabledReason, holderIdOf } from './reasons.ts'

/** The instance that prevents the deletion of a disk, and what has to be done there first. */
export async function refusal(
  project: string,
  disk: Pick<Disk, 'id' | 'name' | 'state'>,
): Promise<Refusal | undefined> {
  const id = holderIdOf(disk)
  if (id === undefined) return undefined
  const instance = await load(viewQuery(kinds.instance, id))
  const before = detachDisabledReason(disk, instance)
  return {
    reason: (
      <>
        <p>
          Disk <Highlight>{disk.name}</Highlight> cannot be deleted while it is attached to instance{' '}
          <TextLink
            href={paths.instanceTab({ project, instance: instance.name }, 'storage')}
            onClick={closeConfirm}
          >
            {instance.name}
          </TextLink>
          . Detach it first.
        </p>
        {before && <p>{before}.</p>}
      </>
    ),
  }
}

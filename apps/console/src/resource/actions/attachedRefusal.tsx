import type { ReactNode } from 'react'
import { load } from '#/api/query.ts'
import { paths } from '#/lib/addresses.ts'
import { viewQuery } from '#/resource/kind.ts'
import { kinds } from '#/resource/kinds.ts'
import { TextLink } from '#/ui/button/link.tsx'
import { closeConfirm } from './confirm.ts'
import type { Refusal } from './confirmation.tsx'

const readInstance = (id: string) => load(viewQuery(kinds.instance, id))

interface Attached {
  project: string
  instanceId: string
  /** The attached resource, at the beginning of a sentence. */
  what: ReactNode
  /** The tab of the instance that has it. */
  tab: 'storage' | 'networking'
  /** The reason for which it cannot be detached now, without a full stop. */
  before?: (instance: Awaited<ReturnType<typeof readInstance>>) => string | undefined
}

/** The instance that prevents the deletion of what is attached to it, and what has to be done there first. */
export async function attachedRefusal({
  project,
  instanceId,
  what,
  tab,
  before,
}: Attached): Promise<Refusal> {
  const instance = await readInstance(instanceId)
  const reason = before?.(instance)
  return {
    reason: (
      <>
        <p>
          {what} cannot be deleted while it is attached to instance{' '}
          <TextLink
            href={paths.instanceTab({ project, instance: instance.name }, tab)}
            onClick={closeConfirm}
          >
            {instance.name}
          </TextLink>
          . Detach it first.
        </p>
        {reason && <p>{reason}.</p>}
      </>
    ),
  }
}

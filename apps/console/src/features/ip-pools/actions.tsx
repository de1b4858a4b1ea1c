import {
  ipPoolDelete,
  ipPoolRangeList,
  ipPoolUtilizationView,
} from '@purlin/contract/operations/addresses/system-ip-pools'
import { countOf } from '@purlin/contract/rules/kinds'
import { lookUpLimit } from '#/api/everyPage.ts'
import { requestTo } from '#/api/request.ts'
import { send } from '#/api/send.ts'
import { guides, paths } from '#/lib/addresses.ts'
import { plainActions } from '#/resource/actions/actions.tsx'
import { closeConfirm } from '#/resource/actions/confirm.ts'
import { kinds } from '#/resource/kinds.ts'
import { TextLink } from '#/ui/button/link.tsx'
import { Highlight } from '#/ui/value/Highlight.tsx'

/** Explains pools, next to the title of their screens. */
export const poolDocs = {
  summary:
    'An IP pool is a set of ranges of external addresses. Instances and floating IPs of the silos that it is linked to get their addresses from it. The default pool of a silo is used where none is named.',
  links: [guides.ipPools],
}

/** Actions on a pool. `leave` leaves the page of one that is deleted. */
export const poolActions = (leave?: () => unknown) =>
  plainActions(kinds.ipPool, undefined, {
    refusal,
    note: () => 'Its links to silos are removed with it.',
    typeToConfirm: ({ name }) => name,
    leave,
  })

/** The ranges that prevent the deletion. */
async function refusal({ id, name }: { id: string; name: string }) {
  const { items } = await send(ipPoolRangeList, { params: { pool: name }, query: { limit: lookUpLimit } })
  if (items.length === 0) return undefined
  const ranges = (
    <TextLink href={paths.poolTab(name, 'ranges')} onClick={closeConfirm}>
      {countOf(items.length, 'IP range')}
    </TextLink>
  )
  const { remaining, capacity } = await send(ipPoolUtilizationView, { params: { pool: name } })
  const used = capacity - remaining
  if (used > 0)
    return {
      reason: (
        <p>
          IP pool <Highlight>{name}</Highlight> cannot be deleted while {countOf(used, 'address')} of its{' '}
          {ranges} {used === 1 ? 'is' : 'are'} in use.{' '}
          <TextLink href={kinds.ipPool.section.view({ name })} onClick={closeConfirm}>
            Look at the pool
          </TextLink>
        </p>
      ),
    }
  return {
    reason: (
      <p>
        IP pool <Highlight>{name}</Highlight> cannot be deleted while it has addresses. Remove {ranges} first.
      </p>
    ),
    all: {
      note: 'None of its addresses is in use: or delete the pool with its ranges and its links to silos.',
      typeToConfirm: name,
      request: requestTo(ipPoolDelete, { params: { pool: id }, query: { cascade: true } }),
    },
  }
}

/** The content of a project that prevents its deletion. */
import { affinityGroupList } from '@purlin/contract/operations/instances/affinity-groups'
import { imageImportList } from '@purlin/contract/operations/storage/image-imports'
import { scheduleList } from '@purlin/contract/operations/schedules/schedules'
import { probeList } from '@purlin/contract/operations/vpcs/probes'
import { isOneOf, keysOf } from '@purlin/contract/rules/keys'
import { childrenOf, countOf, kinds as contractKinds, type ChildOf } from '@purlin/contract/rules/kinds'
import { kinds } from '#/resource/kinds.ts'
import { load } from '#/api/query.ts'
import { lookUpLimit } from '#/api/everyPage.ts'
import { send } from '#/api/send.ts'
import { ownQueries } from '#/resource/role/useRole.ts'

type Kind = ChildOf<'project'>

/** How many of a kind there are; `isMore` if there are more than were counted. */
export interface Count {
  kind: Kind
  count: number
  isMore: boolean
}

/** The lists of kinds that are not in the table of kinds. A kind that is in neither table does not compile. */
const others = {
  affinityGroup: affinityGroupList,
  imageImport: imageImportList,
  probe: probeList,
  schedule: scheduleList,
} as const
const listOf = (kind: Kind) => (isOneOf(keysOf(others), kind) ? others[kind] : kinds[kind].list)

/**
 * Counts what prevents the deletion: everything but the default VPC, which is deleted with the project. What
 * cannot be counted is left to the server, whose error names it.
 */
export async function contentsOf(project: string): Promise<Count[]> {
  const { fleetViewer } = await load(ownQueries.me())
  const seen = childrenOf('project').filter((kind) => kind !== 'probe' || fleetViewer)
  return Promise.all(
    seen.map(async (kind) => {
      const { items, nextPage } = await firstRows(kind, project)
      const held = items.filter(({ name }) => !(kind === 'vpc' && name === 'default'))
      return { kind, count: held.length, isMore: Boolean(nextPage) }
    }),
  )
}

interface Rows {
  items: readonly { name: string }[]
  nextPage?: string | null | undefined
}
const firstRows = (kind: Kind, project: string): Promise<Rows> =>
  send(listOf(kind), { query: { project, limit: lookUpLimit } }).catch(() => ({ items: [] }))

/** '64 instances'. */
export const countWords = ({ kind, count, isMore }: Count): string =>
  `${isMore ? 'more than ' : ''}${countOf(count, contractKinds[kind].noun)}`

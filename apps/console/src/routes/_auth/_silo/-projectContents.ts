/** What a project still holds, told before somebody tries to delete it. */
import { diskList } from '@purlin/contract/operations/disks'
import { imageList } from '@purlin/contract/operations/images'
import { instanceList } from '@purlin/contract/operations/instances'
import { floatingIpList } from '@purlin/contract/operations/networks'
import { snapshotList } from '@purlin/contract/operations/snapshots'
import { lookUpLimit } from '../../../parts/paging.ts'
import { send } from '../../../send.ts'

/** How many of a kind there are; `isMore` if there are more than were counted. */
export interface Count {
  noun: string
  count: number
  isMore: boolean
}

const kinds = [
  { op: instanceList, noun: 'instance' },
  { op: diskList, noun: 'disk' },
  { op: snapshotList, noun: 'snapshot' },
  { op: floatingIpList, noun: 'floating IP' },
  { op: imageList, noun: 'image' },
] as const

/** Counts what would keep the project. What cannot be counted is left to the server, which refuses by name. */
export const contentsOf = (project: string): Promise<Count[]> =>
  Promise.all(
    kinds.map(async ({ op, noun }) => {
      const page = await send(op, { query: { project, limit: lookUpLimit } }).catch(() => undefined)
      return { noun, count: page?.items.length ?? 0, isMore: Boolean(page?.nextPage) }
    }),
  )

const list = new Intl.ListFormat('en')

/** '64 instances and 3 disks', or nothing. */
export const contentsWords = (counts: readonly Count[]): string =>
  list.format(
    counts
      .filter(({ count }) => count > 0)
      .map(
        ({ noun, count, isMore }) => `${isMore ? 'more than ' : ''}${count} ${noun}${count === 1 ? '' : 's'}`,
      ),
  )

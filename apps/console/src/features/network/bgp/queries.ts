/** BGP as screens read and change it. */
import {
  networkingBgpAnnouncementList,
  networkingBgpAnnounceSetList,
  networkingBgpConfigList,
} from '@purlin/contract/operations/networking/bgp'
import type { Result } from '@purlin/contract/op'
import { everyPage, type Item } from '#/api/everyPage.ts'
import { invalidate, keyOf, loadToEdit, query, type Read } from '#/api/query.ts'

export type BgpConfig = Item<typeof networkingBgpConfigList>
export type AnnounceSet = Result<typeof networkingBgpAnnounceSetList>[number]

export const configsQuery = everyPage(networkingBgpConfigList, { query: {} })
export const setsQuery = query(networkingBgpAnnounceSetList, { query: {} })
export const announcementsQuery = (announceSet: string) =>
  query(networkingBgpAnnouncementList, { params: { announceSet } })

/** A set with its networks. */
export interface WholeSet extends AnnounceSet {
  networks: Result<typeof networkingBgpAnnouncementList>
}

export const wholeSetQuery = (id: string): Read<WholeSet | undefined> => ({
  queryKey: keyOf('announce set', id),
  queryFn: async () => {
    const [sets, networks] = await Promise.all([
      loadToEdit('enter', setsQuery),
      loadToEdit('enter', announcementsQuery(id)),
    ])
    const set = sets.find((one) => one.id === id)
    return set && { ...set, networks }
  },
})

export const configsChanged = () => invalidate(networkingBgpConfigList)
export const setsChanged = () => invalidate(networkingBgpAnnounceSetList, networkingBgpAnnouncementList)

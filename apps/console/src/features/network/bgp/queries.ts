/** BGP as screens read and change it. */
import {
  networkingBgpAnnouncementList,
  networkingBgpAnnounceSetList,
  networkingBgpConfigList,
} from '@purlin/contract/operations/networking/bgp'
import type { Result } from '@purlin/contract/op'
import { everyPage, type Item } from '#/api/everyPage.ts'
import { invalidate, query } from '#/api/query.ts'

export type BgpConfig = Item<typeof networkingBgpConfigList>
export type AnnounceSet = Result<typeof networkingBgpAnnounceSetList>[number]

export const configsQuery = everyPage(networkingBgpConfigList, { query: {} })
export const setsQuery = query(networkingBgpAnnounceSetList, { query: {} })
export const announcementsQuery = (announceSet: string) =>
  query(networkingBgpAnnouncementList, { params: { announceSet } })

export const configsChanged = () => invalidate(networkingBgpConfigList)
export const setsChanged = () => invalidate(networkingBgpAnnounceSetList, networkingBgpAnnouncementList)

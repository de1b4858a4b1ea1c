import {
  samlIdentityProviderView,
  siloIdentityProviderList,
} from '@purlin/contract/operations/silos/identity-providers'
import type { Item } from '#/api/everyPage.ts'
import { query } from '#/api/query.ts'
import { listPage } from '#/resource/list/listPage.ts'
import type { PagingSearch } from '#/resource/list/paging.ts'

export type Provider = Item<typeof siloIdentityProviderList>

export const providersQuery = (silo: string, search: PagingSearch) =>
  listPage(siloIdentityProviderList, { silo }, search)

export const providerQuery = (silo: string, provider: string) =>
  query(samlIdentityProviderView, { params: { provider }, query: { silo } })

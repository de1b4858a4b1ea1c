import { samlIdentityProviderView } from '@purlin/contract/operations/silos/identity-providers'
import {
  identityProviderList,
  oidcIdentityProviderView,
} from '@purlin/contract/operations/silos/oidc-providers'
import type { Item } from '#/api/everyPage.ts'
import { invalidate, query } from '#/api/query.ts'
import { listPage } from '#/resource/list/listPage.ts'
import type { PagingSearch } from '#/resource/list/paging.ts'

export type Provider = Item<typeof identityProviderList>

export const providersQuery = (silo: string, search: PagingSearch) =>
  listPage(identityProviderList, { silo }, search)

export const samlQuery = (silo: string, provider: string) =>
  query(samlIdentityProviderView, { params: { provider }, query: { silo } })

export const oidcQuery = (silo: string, provider: string) =>
  query(oidcIdentityProviderView, { params: { provider }, query: { silo } })

/** Reads lists and views of providers again. */
export const providersChanged = () =>
  invalidate(identityProviderList, samlIdentityProviderView, oidcIdentityProviderView)

import { samlIdentityProviderView } from '@purlin/contract/operations/silos/identity-providers'
import {
  identityProviderList,
  oidcIdentityProviderView,
} from '@purlin/contract/operations/silos/oidc-providers'
import { signInTestView } from '@purlin/contract/operations/silos/sign-in-tests'
import type { Item } from '#/api/everyPage.ts'
import { invalidate, query } from '#/api/query.ts'
import { send } from '#/api/send.ts'
import type { Named, RowOp } from '#/resource/kind.ts'
import { listPage } from '#/resource/list/listPage.ts'
import type { PagingSearch } from '#/resource/list/paging.ts'

/** An operation that answers with a provider of any protocol. */
export type NamedOp = RowOp<Named>

export type Provider = Item<typeof identityProviderList>

export const providersQuery = (silo: string, search: PagingSearch) =>
  listPage(identityProviderList, { silo }, search)

export const samlQuery = (silo: string, provider: string) =>
  query(samlIdentityProviderView, { params: { provider }, query: { silo } })

export const testQuery = (testId: string) => query(signInTestView, { params: { testId } })

export const oidcQuery = (silo: string, provider: string) =>
  query(oidcIdentityProviderView, { params: { provider }, query: { silo } })

/** True if a silo has no other provider than this one, as far as is known. */
export const isLastProvider = async (silo: string): Promise<boolean> => {
  const { items } = await send(identityProviderList, { query: { silo, limit: 2 } })
  return items.length < 2
}

/** Reads lists and views of providers again. */
export const providersChanged = () =>
  invalidate(identityProviderList, samlIdentityProviderView, oidcIdentityProviderView)

/** Service accounts and their keys, as the console reads them. */
import {
  serviceAccountKeyList,
  serviceAccountView,
  type serviceAccountList,
} from '@purlin/contract/operations/access/service-accounts'
import type { Item } from '#/api/everyPage.ts'
import { query } from '#/api/query.ts'
import { paths } from '#/lib/addresses.ts'

export type Account = Item<typeof serviceAccountList>
export type Key = Item<typeof serviceAccountKeyList>

/** The silo that service accounts are of, and where its pages are. */
export interface AccountPlace {
  silo: string
  /** True on the pages of operators, where the address names the silo. */
  isNamed: boolean
}

/** The address of the list or, with a name, of an account. */
export const accountHref = ({ silo, isNamed }: AccountPlace, account?: string): string =>
  paths.serviceAccounts({ silo: isNamed ? silo : undefined, account })

const target = (silo: string, serviceAccount: string) => ({ params: { serviceAccount }, query: { silo } })

export const accountQuery = (silo: string, account: string) => ({
  ...query(serviceAccountView, target(silo, account)),
  throwOnError: false,
})
export const keysQuery = (silo: string, account: string) => ({
  ...query(serviceAccountKeyList, target(silo, account)),
  throwOnError: false,
})

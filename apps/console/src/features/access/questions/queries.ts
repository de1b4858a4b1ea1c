import { accessExplain, accessOperationList, accessWhoCan } from '@purlin/contract/operations/access/access'
import { everyPage } from '#/api/everyPage.ts'
import { prefetch, query } from '#/api/query.ts'

const quietly = { throwOnError: false } as const
const pageSize = 50

/** The operations in questions. */
export const operationsQuery = () => ({
  ...everyPage(accessOperationList, { query: {} }),
  ...quietly,
  staleTime: Infinity,
})

/** For the loader of a page with questions. */
export const prefetchOperations = () => prefetch(operationsQuery())

export const holdersQuery = (operation: string, resource: string, page: string | undefined) => ({
  ...query(accessWhoCan, {
    query: { operation, resource, limit: pageSize, ...(page === undefined ? {} : { pageToken: page }) },
  }),
  ...quietly,
})

export const decisionQuery = (identity: string, operation: string, resource: string) => ({
  ...query(accessExplain, { query: { identity, operation, resource } }),
  ...quietly,
})

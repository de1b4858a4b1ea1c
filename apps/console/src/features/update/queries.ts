/** The reads of the page of updates. */
import type { Result } from '@purlin/contract/op'
import {
  systemUpdateRepositoryList,
  systemUpdateStatus,
  systemUpdateUploadList,
} from '@purlin/contract/operations/updates/repositories'
import { systemUpdateComponentList, systemUpdatePlan } from '@purlin/contract/operations/updates/roll-out'
import { systemUpdateTrustRootList } from '@purlin/contract/operations/updates/trust-roots'
import { everyPage, type Item } from '#/api/everyPage.ts'
import { invalidate, query } from '#/api/query.ts'

export type Status = Result<typeof systemUpdateStatus>
export type Repository = Item<typeof systemUpdateRepositoryList>
export type Upload = Item<typeof systemUpdateUploadList>
export type Component = Item<typeof systemUpdateComponentList>
export type TrustRoot = Item<typeof systemUpdateTrustRootList>

export const statusQuery = () => query(systemUpdateStatus, {})
export const repositoriesQuery = () => query(systemUpdateRepositoryList, { query: { limit: 1000 } })
export const trustRootsQuery = () => query(systemUpdateTrustRootList, { query: { limit: 1000 } })
export const uploadsQuery = () => query(systemUpdateUploadList, { query: { limit: 100 } })
/** Servers of the original API have none. */
export const componentsQuery = () => ({
  ...everyPage(systemUpdateComponentList, { query: {} }),
  throwOnError: false,
})
export const planQuery = (systemVersion: string) => ({
  ...everyPage(systemUpdatePlan, { query: { systemVersion } }),
  throwOnError: false,
})

export const reloadStatus = () => invalidate(systemUpdateStatus, systemUpdateComponentList)
export const reloadReleases = () => invalidate(systemUpdateStatus, systemUpdateRepositoryList)
export const reloadTrustRoots = () => invalidate(systemUpdateTrustRootList)
export const reloadUploads = () => invalidate(systemUpdateUploadList, systemUpdateRepositoryList)

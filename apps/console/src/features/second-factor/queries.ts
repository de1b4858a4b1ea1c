import {
  currentUserRecoveryCodesView,
  currentUserSecondFactorList,
} from '@purlin/contract/operations/access/second-factors'
import { limits } from '@purlin/contract/rules/limits'
import { query } from '#/api/query.ts'

/** A user has few: one page has them all. */
export const factorsQuery = query(currentUserSecondFactorList, { query: { limit: limits.page.default } })
export const codesQuery = query(currentUserRecoveryCodesView, {})

import { attentionList } from '@purlin/contract/operations/hardware/capacity'
import { query } from '#/api/query.ts'

const most = 100
const pollMs = 60_000

/** The issues that the sidebar counts, critical ones first. */
export const openIssues = () => ({
  ...query(attentionList, { query: { limit: most } }),
  throwOnError: false,
  refetchInterval: pollMs,
})

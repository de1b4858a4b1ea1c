import { networkingBfdStatus } from '@purlin/contract/operations/networking/bfd'
import { query } from '#/api/query.ts'

export const statusQuery = query(networkingBfdStatus, {})

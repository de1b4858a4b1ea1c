import {
  networkingAllowListView,
  networkingInboundIcmpView,
} from '@purlin/contract/operations/networking/edge'
import { query } from '#/api/query.ts'

export const listQuery = query(networkingAllowListView, {})
export const pingsQuery = query(networkingInboundIcmpView, {})

/** The hardware of the fleet, for operators: pages of members do not load it. */
import { capacityView } from '@purlin/contract/operations/hardware/capacity'
import { query } from '#/api/query.ts'

export const capacityQuery = () => ({ ...query(capacityView, {}), throwOnError: false })

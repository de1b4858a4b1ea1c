import { sledInstanceList, sledMaintenancePlan } from '@purlin/contract/operations/hardware/hardware'
import { taskItemList, taskList, taskView } from '@purlin/contract/operations/tasks/tasks'
import { everyPage, type Item } from '#/api/everyPage.ts'
import { invalidate } from '#/api/query.ts'
import { reload } from '#/resource/kind.ts'
import { sled } from '../kinds.ts'

export type PlannedMove = Item<typeof sledMaintenancePlan>

/** Where the instances of a sled would go. */
export const planQuery = (sledId: string) => ({
  ...everyPage(sledMaintenancePlan, { params: { sledId }, query: {} }),
  throwOnError: false,
})

/** Reads again what changes when maintenance begins, stops or ends. */
export const reloadMaintenance = (): Promise<unknown> =>
  Promise.all([
    reload(sled),
    invalidate(sledMaintenancePlan, sledInstanceList, taskList, taskView, taskItemList),
  ])

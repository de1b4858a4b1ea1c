/** Items of tasks whose operation has begun something that takes a while: they are running until that has ended. */
import type { TaskItemTable, Tx } from '#/db/tables.ts'

/** Ends the running item about a resource, if a task has one. The caller wakes the tasks after the commit. */
export async function endItem(
  tx: Tx,
  itemId: string,
  result: { state: 'succeeded' | 'failed'; message: string | null; now: number },
): Promise<void> {
  const { now, ...set } = result
  await tx
    .updateTable('taskItem')
    .set({ ...set, timeCompleted: now })
    .where('itemId', '=', itemId)
    .where('state', '=', 'running')
    .execute()
}

/** The state of an item whose operation has been answered: running while an instance is on its way to another sled. */
export async function stateOfLong(tx: Tx, itemId: string): Promise<TaskItemTable['state']> {
  const row = await tx
    .selectFrom('instance')
    .select('migrationId')
    .where('id', '=', itemId)
    .executeTakeFirst()
  return row?.migrationId == null ? 'succeeded' : 'running'
}

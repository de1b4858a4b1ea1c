/** The requests about tasks, as one user. */
import { instancesOf } from './machines.ts'
import type { TestWorld, Who } from './world.ts'

export type TaskBody = Parameters<ReturnType<TestWorld['as']>['taskCreate']>[0]['body']
type ItemQuery = Parameters<ReturnType<TestWorld['as']>['taskItemList']>[0]['query']

export function tasksOf(w: TestWorld, who: Who = 'projectCollaborator') {
  const client = w.as(who)
  const create = (body: TaskBody) => client.taskCreate({ body })
  const view = (task: string) => client.taskView({ params: { task } })
  return {
    create,
    view,
    preview: (body: TaskBody) => client.taskPreview({ body }),
    items: async (task: string, query: ItemQuery = {}) =>
      (await client.taskItemList({ params: { task }, query })).items,
    /** Makes it, and waits for its end. */
    async run(body: TaskBody) {
      const { id } = await create(body)
      await w.settle()
      return view(id)
    },
    async retry(task: string) {
      const { id } = await client.taskRetry({ params: { task } })
      await w.settle()
      return view(id)
    },
  }
}

/** Makes disks of `demo`; returns their ids. */
export async function makeDisks(w: TestWorld, ...names: string[]): Promise<string[]> {
  const ids: string[] = []
  for (const name of names) ids.push((await instancesOf(w).makeDisk(name)).id)
  return ids
}

/** Makes instances of `demo`, which do not run; returns their ids. */
export async function makeMachines(w: TestWorld, ...names: string[]): Promise<string[]> {
  const ids: string[] = []
  for (const name of names) ids.push((await instancesOf(w).create(name)).id)
  return ids
}

/** Whether a list has a row of some name, asked of the server by its search. */
import { lookUpLimit } from '#/api/everyPage.ts'
import { load } from '#/api/query.ts'
import type { NamedList, Scope } from '../kind.ts'
import { offeredPage } from './listPage.ts'

/** The rows that have a name, and those that contain it. */
export const namedRows = (list: NamedList, scope: Scope, name: string) =>
  offeredPage(list, scope, { find: name, limit: lookUpLimit })

// A field asks again with each key.
const staleMs = 10_000

/** For the rule of a field: why a new row cannot have the name. If the server does not answer, the form is sent. */
export async function takenProblem(list: NamedList, scope: Scope, name: string): Promise<string | undefined> {
  if (name === '') return undefined
  const found = await load({ ...namedRows(list, scope, name), staleTime: staleMs }).catch(() => undefined)
  return found?.items.some((row) => row.name === name) ? 'Name already exists' : undefined
}

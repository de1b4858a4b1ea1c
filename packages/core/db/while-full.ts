/** What is still written while the storage is full. */
import type { OpShape } from '@purlin/contract/op'
import { operations, type OperationName } from '@purlin/contract/operations'
import { StorageFull } from './engine.ts'

/** Besides deletes: what one does on the way to a delete. */
const names: OperationName[] = [
  'loginLocal',
  'logout',
  'instanceStop',
  'instanceDiskDetach',
  'floatingIpDetach',
  'diskBulkWriteImportStop',
  'diskFinalizeImport',
]
const goOn = new Set<OpShape>(names.map((name) => operations[name]))

/** True for operations that free room, or lead to it. */
export const goesOnWhileFull = (op: OpShape): boolean => op.method === 'DELETE' || goOn.has(op)

/** Runs a write that goes on while the storage is full. If it finds that out, a reserve is given up for the second try. */
export async function evenWhileFull<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write()
  } catch (error) {
    if (!(error instanceof StorageFull)) throw error
    return write()
  }
}

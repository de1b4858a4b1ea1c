/** The writes that are allowed while the storage is full. */
import type { OpShape } from '@purlin/contract/op'
import { operations, type OperationName } from '@purlin/contract/operations'
import { StorageFull } from './engine.ts'

/** In addition to deletes: the steps that precede a delete. */
const names: OperationName[] = [
  'loginLocal',
  'loginSecondFactor',
  'loginSaml',
  'loginOidc',
  'loginOidcLogout',
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

/**
 * Runs a write that is allowed while the storage is full. If the storage turns out to be full, the reserve is
 * released for a second attempt.
 */
export async function evenWhileFull<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write()
  } catch (error) {
    if (!(error instanceof StorageFull)) throw error
    return write()
  }
}

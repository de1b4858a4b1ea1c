/** The table of all operations. A key's snake_case form is the operationId. */
import * as affinity from './operations/affinity.ts'
import * as disks from './operations/disks.ts'
import * as images from './operations/images.ts'
import * as instances from './operations/instances.ts'
import * as login from './operations/login.ts'
import * as networks from './operations/networks.ts'
import * as projects from './operations/projects.ts'
import * as session from './operations/session.ts'
import * as silo from './operations/silo.ts'
import * as snapshots from './operations/snapshots.ts'
import * as timeseries from './operations/timeseries.ts'
import type { OpShape } from './op.ts'

type Only<T> = { [K in keyof T as T[K] extends OpShape ? K : never]: T[K] }

// Modules export schemas beside operations; an operation is what has a method.
function only<T extends object>(module: T): Only<T> {
  return Object.fromEntries(
    Object.entries(module).filter(([, value]) => 'method' in (value as object)),
  ) as Only<T>
}

export const operations = {
  ...only(login),
  ...only(session),
  ...only(silo),
  ...only(projects),
  ...only(instances),
  ...only(disks),
  ...only(images),
  ...only(snapshots),
  ...only(networks),
  ...only(affinity),
  ...only(timeseries),
}
export type Operations = typeof operations
export type OperationName = keyof Operations

/**
 * Requests that charge change the rows of their silo and of the fleet, for any project. If such writes ran
 * concurrently, the database would abort each of them. So those of one server run one after another, before they
 * begin.
 */
import type { Parsed } from '@purlin/contract/op'
import type { OperationName, Operations } from '@purlin/contract/operations'
import { createMutex } from '#/concurrency/locks.ts'
import { memoizeByObject } from '#/concurrency/memoize.ts'
import type { BodyOf, World } from '#/context.ts'

const makesDisks = ({ bootDisk, disks }: BodyOf<'instanceCreate'>): boolean =>
  bootDisk?.type === 'create' || disks.some(({ type }) => type === 'create')

/** The operations that charge, some only with certain bodies or queries. `charge` refuses to work for any other. */
const charging: { [K in OperationName]?: true | ((body: never, query: never) => boolean) } = {
  diskCreate: true,
  diskDelete: true,
  diskUpdate: ({ size }: BodyOf<'diskUpdate'>) => size != null,
  diskRollBack: ({ snapshotBefore }: BodyOf<'diskRollBack'>) => snapshotBefore != null,
  diskFinalizeImport: ({ snapshotName }: BodyOf<'diskFinalizeImport'>) => snapshotName != null,
  imageImportCreate: ({ source }: BodyOf<'imageImportCreate'>) => source.type === 'upload',
  imageImportDelete: true,
  instanceCreate: makesDisks,
  instanceDelete: (_: unknown, { withDisk, withDisks }: Parsed<Operations['instanceDelete']>['query']) =>
    withDisk !== undefined || withDisks !== undefined,
  instanceSnapshotCreate: true,
  instanceSnapshotDelete: true,
  instanceSnapshotRollBack: ({ snapshotBefore }: BodyOf<'instanceSnapshotRollBack'>) =>
    snapshotBefore != null,
  instanceStart: true,
  snapshotCreate: true,
  snapshotDelete: true,
}

/** True if a request changes the amounts in use. */
export function charges(name: OperationName, { body, query }: { body?: unknown; query?: unknown }): boolean {
  const rule = charging[name]
  return typeof rule === 'function' ? rule(body as never, query as never) : rule === true
}

const mutexOf = memoizeByObject((_: World) => createMutex())

/** Runs the transaction of a request that charges, after those before it. */
export const serializeCharges = <T>(world: World, run: () => Promise<T>): Promise<T> =>
  world.engine.independentTransaction ? mutexOf(world)(run) : run()

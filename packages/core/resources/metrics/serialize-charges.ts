/**
 * Requests that charge change the rows of their silo and of the fleet, for any project. If such writes ran
 * concurrently, the database would abort each of them. So those of one server run one after another, before they
 * begin.
 */
import type { OperationName } from '@purlin/contract/operations'
import { createMutex } from '#/concurrency/locks.ts'
import { memoizeByObject } from '#/concurrency/memoize.ts'
import type { BodyOf, World } from '#/context.ts'

const charging: ReadonlySet<string> = new Set<OperationName>([
  'diskCreate',
  'diskDelete',
  'instanceStart',
  'snapshotCreate',
  'snapshotDelete',
])

type NewInstance = Pick<BodyOf<'instanceCreate'>, 'bootDisk' | 'disks'>
const makesDisks = ({ bootDisk, disks }: NewInstance): boolean =>
  bootDisk?.type === 'create' || disks.some(({ type }) => type === 'create')

const charges = (name: string, input: { body?: unknown }): boolean =>
  charging.has(name) || (name === 'instanceCreate' && makesDisks(input.body as NewInstance))

const mutexOf = memoizeByObject((_: World) => createMutex())

/** Runs the transaction of a request, after those before it if it charges. */
export const serializeCharges = <T>(
  world: World,
  { name, input }: { name: string; input: { body?: unknown } },
  run: () => Promise<T>,
): Promise<T> => (world.engine.independentTransaction && charges(name, input) ? mutexOf(world)(run) : run())

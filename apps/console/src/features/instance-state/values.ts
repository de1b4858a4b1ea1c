/** Changes of the values of an instance. The operation replaces all five, so those that stay are sent along. */
import {
  instanceList,
  instanceListOfSilo,
  instanceUpdate,
  instanceView,
} from '@purlin/contract/operations/instances/instances'
import type { Args } from '@purlin/contract/op'
import { ExplainedError } from '#/api/errors.ts'
import { invalidate, load, query, remember } from '#/api/query.ts'
import { requestTo, type ApiRequest } from '#/api/request.ts'
import { isSame, rewrite } from '#/api/rewrite.ts'
import { argsOf, type Instance, type InstanceTarget } from './update.ts'

type Body = Args<typeof instanceUpdate>['body']

/** The whole request of a change to some values. */
export const toUpdate = (instance: Instance, change: Partial<Body>): Body => ({
  ncpus: instance.ncpus,
  memory: instance.memory,
  bootDisk: instance.bootDiskId ?? null,
  autoRestartPolicy: instance.autoRestartPolicy ?? null,
  cpuPlatform: instance.cpuPlatform ?? null,
  ...change,
})

/**
 * Changes some values of an instance and keeps the others as they are on the server at that moment, not as this page
 * last saw them: changes of another tab stay.
 */
export const updateInstance = (target: InstanceTarget, change: Partial<Body>): Promise<Instance> =>
  rewriteInstance(target, () => change)

/** The request of the same. Throws ApiError if the present values cannot be read. */
export async function updateRequest(target: InstanceTarget, change: Partial<Body>): Promise<ApiRequest> {
  const now = await load({ ...query(instanceView, argsOf(target)), staleTime: 0 })
  return {
    ...requestTo(instanceUpdate, { ...argsOf(target), body: toUpdate(now, change) }),
    changes: change,
  }
}

async function rewriteInstance(
  target: InstanceTarget,
  change: (now: Instance) => Partial<Body>,
): Promise<Instance> {
  const changed = await rewrite({ view: instanceView, update: instanceUpdate, args: argsOf(target) }, (now) =>
    toUpdate(now, change(now)),
  )
  remember(instanceView, argsOf(target), changed)
  return changed
}

/** Reverses a change of values, unless another user has changed them since. Throws ExplainedError. */
export async function restoreInstance(
  target: InstanceTarget,
  { left, former }: Record<'left' | 'former', Partial<Body>>,
): Promise<void> {
  await rewriteInstance(target, (now) => {
    const values = toUpdate(now, {})
    if (!isSame(values, { ...values, ...left }))
      throw new ExplainedError('Another user has changed the instance.')
    return former
  })
  await invalidate(instanceView, instanceList, instanceListOfSilo)
}

/** Changes of an instance. The operation replaces all five values, so those that stay are sent along. */
import {
  instanceList,
  instanceListOfSilo,
  type instanceReboot,
  type instanceStart,
  type instanceStop,
  instanceUpdate,
  instanceView,
} from '@purlin/contract/operations/instances'
import type { Args, Result } from '@purlin/contract/op'
import { invalidate, remember } from '#/api/query.ts'
import { ExplainedError } from '#/api/errors.ts'
import { isSame, rewrite } from '#/api/rewrite.ts'
import { send } from '#/api/send.ts'

export type Instance = Result<typeof instanceView>
type Body = Args<typeof instanceUpdate>['body']
/** An instance by name, as the address has it. */
export interface InstanceTarget {
  project: string
  instance: string
}

/** How operations on one instance are addressed. */
export const argsOf = ({ project, instance }: InstanceTarget) => ({
  params: { instance },
  query: { project },
})

/** Reads the lists of instances again: that of a project, and that of all projects. */
export const reloadLists = () => invalidate(instanceList, instanceListOfSilo)

type Move = typeof instanceStart | typeof instanceStop | typeof instanceReboot

/** Moves an instance to another state, and lets every screen that shows the instance know it. */
export async function sendMove(move: Move, target: InstanceTarget): Promise<void> {
  remember(instanceView, argsOf(target), await send(move, argsOf(target)))
}

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
 * Changes some values of an instance and keeps the others as they are on the server at that moment,
 * not as this page last saw them: what another tab changed meanwhile stays changed.
 */
export const updateInstance = (target: InstanceTarget, change: Partial<Body>): Promise<Instance> =>
  rewriteInstance(target, () => change)

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

/** Takes a change of values back, unless somebody else has changed them since. Throws ExplainedError. */
export async function restoreInstance(
  target: InstanceTarget,
  { left, former }: Record<'left' | 'former', Partial<Body>>,
): Promise<void> {
  await rewriteInstance(target, (now) => {
    const values = toUpdate(now, {})
    if (!isSame(values, { ...values, ...left }))
      throw new ExplainedError('Somebody else has changed the instance meanwhile.')
    return former
  })
  await invalidate(instanceView, instanceList, instanceListOfSilo)
}

/** Instances as screens know them, and moves to another state. */
import {
  instanceList,
  instanceListOfSilo,
  type instanceReboot,
  type instanceStart,
  type instanceStop,
  instanceView,
} from '@purlin/contract/operations/instances/instances'
import type { Result } from '@purlin/contract/op'
import { invalidate, remember } from '#/api/query.ts'
import { requestTo, sendRequest } from '#/api/request.ts'

export type Instance = Result<typeof instanceView>
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

/** The request that moves an instance to another state. */
export function moveRequest(move: Move, target: InstanceTarget, how: { force?: boolean } = {}) {
  const { params, query } = argsOf(target)
  return requestTo(move, { params, query: { ...query, ...how } })
}

/** Moves an instance to another state, and lets every screen that shows the instance know it. */
export async function sendMove(...[move, target, how]: Parameters<typeof moveRequest>): Promise<void> {
  remember(instanceView, argsOf(target), await sendRequest(moveRequest(move, target, how)))
}

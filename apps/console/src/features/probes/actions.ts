import { probeDelete } from '@purlin/contract/operations/vpcs/probes'
import { requestTo } from '#/api/request.ts'
import { copyId, deleteAction, type Action } from '#/resource/actions/actions.tsx'
import { probe, type Probe } from './kinds.ts'

/** Actions on a probe. Its deletion names the project also with an id. */
export const probeActions = (project: string): Action<Probe>[] => [
  copyId(probe.noun),
  deleteAction(probe, {
    note: () => 'Its addresses are released.',
    request: ({ id }) => requestTo(probeDelete, { params: { probe: id }, query: { project } }),
  }),
]

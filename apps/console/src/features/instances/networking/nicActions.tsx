/** Actions on the network interfaces of an instance. */
import {
  instanceNetworkInterfaceCreate,
  instanceNetworkInterfaceDelete,
  instanceNetworkInterfaceList,
  instanceNetworkInterfaceUpdate,
  instanceNetworkInterfaceView,
} from '@purlin/contract/operations/vpcs/network-interfaces'
import type { Result } from '@purlin/contract/op'
import { instanceCan, type InstanceState } from '@purlin/contract/rules/states'
import type { ReactNode } from 'react'
import { instanceReachability } from '@purlin/contract/operations/vpcs/vpc-effects'
import { invalidate } from '#/api/query.ts'
import { reloadAddresses } from '#/features/external-ips/reload.ts'
import { rewrite } from '#/api/rewrite.ts'
import { requestTo, sendRequest } from '#/api/request.ts'
import { send } from '#/api/send.ts'
import { capitalize } from '#/lib/text.ts'
import { copyId, type Action } from '#/resource/actions/actions.tsx'
import { nicLimit, nicToBody, type NicValues } from './nic.ts'
import type { Instance, InstanceTarget } from '#/features/instance-state/update.ts'
import { showDoneToast, toastFailure } from '#/resource/actions/toasts.tsx'

/** A network interface of an instance. */
export type Nic = Result<typeof instanceNetworkInterfaceList>['items'][number]

const noun = 'network interface'
const Noun = capitalize(noun)
const byId = (id: string) => ({ params: { interface: id }, query: {} })
const unless = (isAllowed: boolean, reason: string) => (isAllowed ? undefined : reason)
const mayUpdate = (state: InstanceState) => instanceCan('updateNic', state)

/** Why no interface can be added now. */
export const addNicDisabledReason = ({ runState }: Instance, nics: number): string | undefined =>
  unless(
    mayUpdate(runState),
    'A network interface cannot be created or edited unless the instance is stopped',
  ) ?? nicLimit(nics)

/** The request that adds an interface. */
export const nicRequest = (target: InstanceTarget, nic: NicValues) =>
  requestTo(instanceNetworkInterfaceCreate, { query: target, body: nicToBody(nic) })

/** Adds an interface; the first one of an instance also brings it a way out. */
export async function addNic(target: InstanceTarget, nic: NicValues): Promise<void> {
  await sendRequest(nicRequest(target, nic))
  await reloadAddresses(instanceNetworkInterfaceList)
  showDoneToast(Noun, nic.name, 'added')
}

/** How one interface is read, and replaced on condition. */
export const nicTarget = ({ id }: Nic) => ({
  view: instanceNetworkInterfaceView,
  update: instanceNetworkInterfaceUpdate,
  args: byId(id),
})

// The operation replaces the transit IPs, so those that the server has now are sent along.
const asPrimary = ({ transitIps }: Pick<Nic, 'transitIps'>) => ({ transitIps, primary: true })

async function primaryRequest(nic: Nic) {
  const { view, update, args } = nicTarget(nic)
  return requestTo(update, { ...args, body: asPrimary(await send(view, args)) })
}

async function makePrimary(nic: Nic): Promise<void> {
  try {
    await rewrite(nicTarget(nic), asPrimary)
    await invalidate(instanceNetworkInterfaceList, instanceReachability)
    showDoneToast(Noun, nic.name, 'is now primary')
  } catch (error) {
    toastFailure('Could not change the primary interface', error)
  }
}

/** Actions on an interface of an instance; `edit` makes its form. */
export const nicActions = (
  { runState }: Instance,
  {
    nics,
    edit,
    traceHref,
    lossNote,
  }: {
    nics: number
    edit: (nic: Nic, close: () => void) => ReactNode
    /** Where packets that an interface sends are traced. */
    traceHref: (nic: Nic) => string
    /** Further losses by the deletion of an interface. */
    lossNote: (nic: Nic) => Promise<ReactNode>
  },
): Action<Nic>[] => [
  copyId(noun),
  { id: 'trace', label: 'Trace from here', href: traceHref },
  {
    id: 'makePrimary',
    label: 'Make primary',
    role: 'collaborator',
    disabledReason: ({ primary }) =>
      unless(!primary, 'This network interface is already set as primary') ??
      unless(mayUpdate(runState), 'The instance must be stopped to change its primary network interface'),
    onAction: makePrimary,
    command: primaryRequest,
  },
  {
    id: 'edit',
    label: 'Edit',
    role: 'collaborator',
    disabledReason: () =>
      unless(
        mayUpdate(runState),
        "The instance must be stopped before editing a network interface's settings",
      ),
    dialog: edit,
  },
  {
    id: 'delete',
    label: 'Delete',
    role: 'collaborator',
    isDanger: true,
    disabledReason: ({ primary }) =>
      unless(
        instanceCan('removeNic', runState),
        'The instance must be stopped to delete a network interface',
      ) ??
      unless(
        !primary || nics === 1,
        'The primary interface can’t be deleted while others are attached. Make another one primary first.',
      ),
    confirm: {
      noun,
      verb: 'delete',
      done: 'deleted',
      isDanger: true,
      note: ([nic]) => nic && lossNote(nic),
      request: ({ id }) => requestTo(instanceNetworkInterfaceDelete, byId(id)),
      after: () => invalidate(instanceNetworkInterfaceList, instanceReachability),
    },
  },
]

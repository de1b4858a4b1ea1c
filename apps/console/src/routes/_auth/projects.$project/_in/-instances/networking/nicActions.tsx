/** What can be done with the network interfaces of an instance. */
import { instanceExternalIpList } from '@purlin/contract/operations/instances'
import {
  instanceNetworkInterfaceCreate,
  instanceNetworkInterfaceDelete,
  instanceNetworkInterfaceList,
  instanceNetworkInterfaceUpdate,
  instanceNetworkInterfaceView,
} from '@purlin/contract/operations/networks'
import type { Args, Result } from '@purlin/contract/op'
import { instanceCan, type InstanceState } from '@purlin/contract/rules/instance'
import { invalidate } from '../../../../../../api.ts'
import { rewrite } from '../../../../../../rewrite.ts'
import { failure, send } from '../../../../../../send.ts'
import { confirmAction } from '../../../../../../parts/confirm.ts'
import { copyWithToast } from '../../../../../../parts/copy.ts'
import { nicLimit, nicToBody, type NicValues } from '../../../../../../parts/instance/nic.ts'
import type { InstanceTarget } from '../../../../../../parts/instance/update.ts'
import { tellDone } from '../../../../../../parts/toasts.tsx'
import { Highlight } from '../../../../../../ui/Highlight.tsx'
import type { MenuItem } from '../../../../../../ui/menuItems.ts'
import { addToast } from '../../../../../../ui/toast.ts'
import type { ChangesOf } from './externalIpActions.tsx'

/** A network interface of an instance. */
export type Nic = Result<typeof instanceNetworkInterfaceList>['items'][number]

const noun = 'Network interface'
const byId = (id: string) => ({ params: { interface: id }, query: {} })
const unless = (isAllowed: boolean, reason: string) => (isAllowed ? undefined : reason)
const mayUpdate = (state: InstanceState) => instanceCan('updateNic', state)

/** Why no interface can be added now. */
export const addNicRefusal = (
  { instance, refused }: ChangesOf,
  counts: { nics: number; vpcs: number },
): string | undefined =>
  refused ??
  unless(
    mayUpdate(instance.runState),
    'A network interface cannot be created or edited unless the instance is stopped',
  ) ??
  nicLimit(counts.nics) ??
  unless(counts.vpcs > 0, 'The project has no VPC')

/** Adds an interface; the first one of an instance also brings it a way out. */
export async function addNic(target: InstanceTarget, nic: NicValues): Promise<void> {
  await send(instanceNetworkInterfaceCreate, { query: target, body: nicToBody(nic) })
  await invalidate(instanceNetworkInterfaceList, instanceExternalIpList)
  tellDone(noun, nic.name, 'added')
}

type NicChanges = Args<typeof instanceNetworkInterfaceUpdate>['body']

/** Changes name, description and transit IPs. */
export async function updateNic({ id }: Nic, body: NicChanges & { name: string }): Promise<void> {
  await send(instanceNetworkInterfaceUpdate, { ...byId(id), body })
  await invalidate(instanceNetworkInterfaceList)
  tellDone(noun, body.name, 'updated')
}

async function makePrimary({ id, name }: Nic): Promise<void> {
  try {
    // The operation replaces the transit IPs, so those that the server has now are sent along.
    await rewrite(
      { view: instanceNetworkInterfaceView, update: instanceNetworkInterfaceUpdate, args: byId(id) },
      ({ transitIps }) => ({ transitIps, primary: true }),
    )
    await invalidate(instanceNetworkInterfaceList)
    tellDone(noun, name, 'is now primary')
  } catch (error) {
    const { message, requestId } = failure(error)
    addToast({
      variant: 'error',
      title: 'Could not change the primary interface',
      content: message,
      requestId,
    })
  }
}

function askToDelete({ id, name }: Nic): void {
  confirmAction({
    modalTitle: 'Delete network interface',
    modalContent: (
      <p>
        Are you sure you want to delete <Highlight>{name}</Highlight>? Its private address goes back to the
        subnet.
      </p>
    ),
    errorTitle: 'Could not delete network interface',
    actionType: 'danger',
    doAction: async () => {
      await send(instanceNetworkInterfaceDelete, byId(id))
      await invalidate(instanceNetworkInterfaceList)
      tellDone(noun, name, 'deleted')
    },
  })
}

/** The row actions of an interface; `edit` opens its form. */
export function nicActions(
  nic: Nic,
  { instance: { runState }, refused }: ChangesOf,
  { nics, edit }: { nics: number; edit: (nic: Nic) => void },
): MenuItem[] {
  return [
    { label: 'Copy ID', onAction: () => void copyWithToast(nic.id, `${noun} ID`) },
    {
      label: 'Make primary',
      disabledReason:
        refused ??
        unless(!nic.primary, 'This network interface is already set as primary') ??
        unless(mayUpdate(runState), 'The instance must be stopped to change its primary network interface'),
      onAction: () => void makePrimary(nic),
    },
    {
      label: 'Edit',
      disabledReason:
        refused ??
        unless(
          mayUpdate(runState),
          "The instance must be stopped before editing a network interface's settings",
        ),
      onAction: () => edit(nic),
    },
    {
      label: 'Delete',
      disabledReason:
        refused ??
        unless(
          instanceCan('removeNic', runState),
          'The instance must be stopped to delete a network interface',
        ) ??
        unless(
          !nic.primary || nics === 1,
          'The primary interface can’t be deleted while others are attached. Make another one primary first.',
        ),
      onAction: () => askToDelete(nic),
    },
  ]
}

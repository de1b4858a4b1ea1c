/** Actions on the external IPs of an instance. */
import {
  instanceEphemeralIpAttach,
  instanceEphemeralIpDetach,
} from '@purlin/contract/operations/addresses/external-ips'
import { reloadAddresses } from '#/features/external-ips/reload.ts'
import { requestTo, sendRequest } from '#/api/request.ts'
import { confirmAction } from '#/resource/actions/confirm.ts'
import { copyWithToast } from '#/resource/actions/copyWithToast.ts'
import {
  externalIpLimit,
  ipChangeDisabledReason,
  reachableIps,
  withoutNic,
  type ExternalIp,
} from '#/features/external-ips/externalIps.ts'
import { argsOf, type Instance, type InstanceTarget } from '#/features/instance-state/update.ts'
import { AttachToInstanceDialog } from '#/features/floating-ips/attachDialog.ts'
import { detachFloatingIp, detachRequest } from '#/features/floating-ips/floatingIps.tsx'
import { showDoneToast } from '#/resource/actions/toasts.tsx'
import { Highlight } from '#/ui/value/Highlight.tsx'
import type { Action } from '#/resource/actions/actions.tsx'

/** An instance and how operations on it are addressed. */
export interface InstanceOf {
  target: InstanceTarget
  instance: Instance
}

const noRoom = (ips: readonly ExternalIp[]) => externalIpLimit(reachableIps(ips).length)

/** Why no ephemeral IP can be attached now. */
export const ephemeralDisabledReason = (
  { runState }: Instance,
  { ips, nics }: { ips: readonly ExternalIp[]; nics: number },
): string | undefined => {
  if (ips.some(({ kind }) => kind === 'ephemeral')) return 'Instance already has an ephemeral IP'
  if (nics === 0) return withoutNic
  return ipChangeDisabledReason(runState) ?? noRoom(ips)
}

/** Why no floating IP can be attached now. */
export const floatingDisabledReason = (
  { runState }: Instance,
  { ips, free }: { ips: readonly ExternalIp[]; free: number },
): string | undefined =>
  ipChangeDisabledReason(runState) ?? noRoom(ips) ?? (free === 0 ? 'No available floating IPs' : undefined)

/** The request that gives the instance an address of a pool, by name. */
export const ephemeralRequest = (target: InstanceTarget, pool: string) =>
  requestTo(instanceEphemeralIpAttach, { ...argsOf(target), body: { pool } })

/** Gives the instance an address of a pool, by name. */
export async function attachEphemeralIp(target: InstanceTarget, pool: string): Promise<void> {
  const { ip } = await sendRequest(ephemeralRequest(target, pool))
  await reloadAddresses()
  showDoneToast('IP', ip, 'attached')
}

function askToDetachEphemeralIp({ target, instance }: InstanceOf, ip: string): void {
  confirmAction({
    modalTitle: 'Detach ephemeral IP',
    modalContent: (
      <>
        <p>
          Are you sure you want to detach <Highlight>{ip}</Highlight> from{' '}
          <Highlight>{instance.name}</Highlight>?
        </p>
        <p>
          The instance will no longer be reachable at this address. The address is returned to its pool, and
          attaching again may assign a different one.
        </p>
      </>
    ),
    errorTitle: 'Error detaching ephemeral IP',
    actionType: 'danger',
    request: requestTo(instanceEphemeralIpDetach, argsOf(target)),
    doAction: async () => {
      await reloadAddresses()
      showDoneToast('Ephemeral IP', ip, 'detached')
    },
  })
}

/** Actions on an external IP of an instance. */
export const externalIpActions = (of: InstanceOf): Action<ExternalIp>[] => [
  {
    id: 'copyId',
    label: 'Copy ID',
    isOffered: ({ kind }) => kind === 'floating',
    command: null,
    onAction: (one) => one.kind === 'floating' && copyWithToast(one.id, 'Floating IP ID'),
  },
  {
    id: 'copyIp',
    label: 'Copy IP address',
    command: null,
    onAction: ({ ip }) => copyWithToast(ip, 'IP address'),
  },
  {
    id: 'move',
    label: 'Move to …',
    isOffered: ({ kind }) => kind === 'floating',
    role: 'collaborator',
    disabledReason: () => ipChangeDisabledReason(of.instance.runState),
    dialog: (one, close) =>
      one.kind === 'floating' && (
        <AttachToInstanceDialog project={of.target.project} floatingIp={one} onDismiss={close} />
      ),
  },
  {
    id: 'detach',
    label: 'Detach',
    isOffered: ({ kind }) => kind === 'floating',
    role: 'collaborator',
    disabledReason: () => ipChangeDisabledReason(of.instance.runState),
    command: (one) => (one.kind === 'floating' ? detachRequest(one) : []),
    onAction: (one) => one.kind === 'floating' && detachFloatingIp(one),
  },
  {
    id: 'detachEphemeral',
    label: 'Detach',
    isOffered: ({ kind }) => kind === 'ephemeral',
    role: 'collaborator',
    disabledReason: () => ipChangeDisabledReason(of.instance.runState),
    command: null,
    onAction: ({ ip }) => askToDetachEphemeralIp(of, ip),
  },
  {
    id: 'detachSnat',
    label: 'Detach',
    isOffered: ({ kind }) => kind === 'snat',
    disabledReason: () => "SNAT IPs can't be detached",
  },
]

/** What can be done with the external IPs of an instance. */
import {
  instanceEphemeralIpAttach,
  instanceEphemeralIpDetach,
  instanceExternalIpList,
} from '@purlin/contract/operations/instances'
import { invalidate } from '../../../../../../api.ts'
import { send } from '../../../../../../send.ts'
import { confirmAction } from '../../../../../../parts/confirm.ts'
import { copyWithToast } from '../../../../../../parts/copy.ts'
import {
  externalIpLimit,
  ipChangeRefusal,
  withoutNic,
  type ExternalIp,
} from '../../../../../../parts/instance/externalIps.ts'
import { argsOf, type Instance, type InstanceTarget } from '../../../../../../parts/instance/update.ts'
import { askToDetachFloatingIp } from '../../../../../../parts/network/floatingIps.tsx'
import { noPools } from '../../../../../../parts/network/pools.tsx'
import { tellDone } from '../../../../../../parts/toasts.tsx'
import { Highlight } from '../../../../../../ui/Highlight.tsx'
import type { MenuItem } from '../../../../../../ui/menuItems.ts'

/** An instance and whether this person may change it. */
export interface ChangesOf {
  target: InstanceTarget
  instance: Instance
  /** Why the person may change nothing here, whatever the state. */
  refused: string | undefined
}

const mayNotChange = ({ refused, instance }: ChangesOf) => refused ?? ipChangeRefusal(instance.runState)

const room = (ips: readonly ExternalIp[]) => externalIpLimit(ips.filter(({ kind }) => kind !== 'snat').length)

/** Why no ephemeral IP can be attached now. */
export const ephemeralRefusal = (
  of: ChangesOf,
  { ips, nics, pools }: { ips: readonly ExternalIp[]; nics: number; pools: number },
): string | undefined => {
  if (of.refused) return of.refused
  if (ips.some(({ kind }) => kind === 'ephemeral')) return 'Instance already has an ephemeral IP'
  if (nics === 0) return withoutNic
  return mayNotChange(of) ?? room(ips) ?? (pools === 0 ? noPools : undefined)
}

/** Why no floating IP can be attached now. */
export const floatingRefusal = (
  of: ChangesOf,
  { ips, free }: { ips: readonly ExternalIp[]; free: number },
): string | undefined =>
  mayNotChange(of) ?? room(ips) ?? (free === 0 ? 'No available floating IPs' : undefined)

/** Gives the instance an address of a pool, by name. */
export async function attachEphemeralIp(target: InstanceTarget, pool: string): Promise<void> {
  const { ip } = await send(instanceEphemeralIpAttach, { ...argsOf(target), body: { pool } })
  await invalidate(instanceExternalIpList)
  tellDone('IP', ip, 'attached')
}

function askToDetachEphemeralIp({ target, instance }: ChangesOf, ip: string): void {
  confirmAction({
    modalTitle: 'Detach ephemeral IP',
    modalContent: (
      <>
        <p>
          Are you sure you want to detach <Highlight>{ip}</Highlight> from{' '}
          <Highlight>{instance.name}</Highlight>?
        </p>
        <p>
          The instance will no longer be reachable at this address, which goes back to its pool: attaching
          again may give another.
        </p>
      </>
    ),
    errorTitle: 'Error detaching ephemeral IP',
    actionType: 'danger',
    doAction: async () => {
      await send(instanceEphemeralIpDetach, argsOf(target))
      await invalidate(instanceExternalIpList)
      tellDone('Ephemeral IP', ip, 'detached')
    },
  })
}

/** The row actions of an external IP. */
export const externalIpActions = (one: ExternalIp, of: ChangesOf): MenuItem[] => [
  ...(one.kind === 'floating'
    ? [{ label: 'Copy ID', onAction: () => void copyWithToast(one.id, 'Floating IP ID') }]
    : []),
  { label: 'Copy IP address', onAction: () => void copyWithToast(one.ip, 'IP address') },
  {
    label: 'Detach',
    disabledReason: one.kind === 'snat' ? "SNAT IPs can't be detached" : mayNotChange(of),
    onAction: () =>
      one.kind === 'floating'
        ? askToDetachFloatingIp(one, of.instance.name)
        : askToDetachEphemeralIp(of, one.ip),
  },
]

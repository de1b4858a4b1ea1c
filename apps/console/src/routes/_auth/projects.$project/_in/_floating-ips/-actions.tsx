/** What can be done with a floating IP from its list. */
import { floatingIpDelete, floatingIpList } from '@purlin/contract/operations/networks'
import { invalidate } from '../../../../../api.ts'
import { lazily } from '../../../../../lib/lazily.tsx'
import { confirmAction } from '../../../../../parts/confirm.ts'
import { copyWithToast } from '../../../../../parts/copy.ts'
import { knownInstanceName } from '../../../../../parts/instance/InstanceName.tsx'
import { askToDetachFloatingIp } from '../../../../../parts/network/floatingIps.tsx'
import type { FloatingIp } from '../../../../../parts/network/reads.ts'
import { tellDone } from '../../../../../parts/toasts.tsx'
import { paths } from '../../../../../paths.ts'
import { send } from '../../../../../send.ts'
import { Highlight } from '../../../../../ui/Highlight.tsx'
import type { MenuItem } from '../../../../../ui/menuItems.ts'

export const AttachToInstanceDialog = lazily(
  () => import('./-AttachToInstanceDialog.tsx'),
  'AttachToInstanceDialog',
)

function askToDelete({ id, name, ip }: FloatingIp): void {
  confirmAction({
    modalTitle: 'Delete floating IP',
    modalContent: (
      <p>
        Are you sure you want to delete <Highlight>{name}</Highlight>? Its address{' '}
        <span className="mono text-ink">{ip}</span> goes back to the pool and may be given to others.
      </p>
    ),
    errorTitle: 'Could not delete floating IP',
    actionType: 'danger',
    doAction: async () => {
      await send(floatingIpDelete, { params: { floatingIp: id }, query: {} })
      await invalidate(floatingIpList)
      tellDone('Floating IP', name, 'deleted')
    },
  })
}

/** The row actions of a floating IP; `attach` opens the choice of an instance. */
export function floatingIpActions(
  floatingIp: FloatingIp,
  {
    project,
    refused,
    attach,
  }: { project: string; refused: string | undefined; attach: (floatingIp: FloatingIp) => void },
): MenuItem[] {
  const { id, name, ip, instanceId } = floatingIp
  return [
    { label: 'Copy ID', onAction: () => void copyWithToast(id, 'Floating IP ID') },
    { label: 'Copy IP address', onAction: () => void copyWithToast(ip, 'IP address') },
    { label: 'Edit', disabledReason: refused, href: paths.floatingIpEdit({ project, floatingIp: name }) },
    instanceId
      ? {
          label: 'Detach',
          disabledReason: refused,
          onAction: () => askToDetachFloatingIp(floatingIp, knownInstanceName(instanceId)),
        }
      : { label: 'Attach', disabledReason: refused, onAction: () => attach(floatingIp) },
    {
      label: 'Delete',
      danger: true,
      disabledReason:
        refused ??
        (instanceId
          ? 'This floating IP must be detached from the instance before it can be deleted'
          : undefined),
      onAction: () => askToDelete(floatingIp),
    },
  ]
}

import { plainActions } from '#/resource/actions/actions.tsx'
import { copyWithToast } from '#/resource/actions/copyWithToast.ts'
import { kinds } from '#/resource/kinds.ts'
import { AttachToInstanceDialog } from './attachDialog.ts'
import { detachFloatingIp, detachment, detachRequest, refusal } from './floatingIps.tsx'

/** Actions on a floating IP of a project. */
export const floatingIpActions = (project: string) =>
  plainActions(kinds.floatingIp, project, {
    copies: [
      {
        id: 'copyIp',
        label: 'Copy IP address',
        command: null,
        onAction: ({ ip }) => copyWithToast(ip, 'IP address'),
      },
    ],
    own: [
      {
        id: 'move',
        label: 'Move to …',
        role: 'collaborator',
        isOffered: ({ instanceId }) => Boolean(instanceId),
        takes: 'instance',
        dialog: (row, close, given) => (
          <AttachToInstanceDialog project={project} floatingIp={row} given={given} onDismiss={close} />
        ),
      },
      {
        id: 'detach',
        label: 'Detach',
        role: 'collaborator',
        isOffered: ({ instanceId }) => Boolean(instanceId),
        disabledReason: ({ instanceId }) => !instanceId && 'This floating IP is not attached',
        isForMany: true,
        confirm: detachment,
        command: detachRequest,
        onAction: detachFloatingIp,
      },
      {
        id: 'attach',
        label: 'Attach',
        role: 'collaborator',
        isOffered: ({ instanceId }) => !instanceId,
        takes: 'instance',
        dialog: (row, close, given) => (
          <AttachToInstanceDialog project={project} floatingIp={row} given={given} onDismiss={close} />
        ),
      },
    ],
    note: ([row, ...others]) =>
      others.length > 0 ? (
        'Their addresses are returned to their pools and can be assigned to others.'
      ) : (
        <p>
          Its address <span className="mono text-ink">{row?.ip}</span> is returned to the pool and can be
          assigned to others.
        </p>
      ),
    disabledReason: ({ instanceId }) =>
      instanceId && 'This floating IP must be detached from the instance before it can be deleted',
    isExplained: ({ instanceId }) => Boolean(instanceId),
    refusal: (row) => refusal(project, row),
  })

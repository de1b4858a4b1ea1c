/** Actions on port settings. */
import {
  networkingSwitchPortSettingsCreate,
  networkingSwitchPortSettingsDelete,
} from '@purlin/contract/operations/networking/port-settings'
import { networkingSwitchPortApplySettings } from '@purlin/contract/operations/hardware/hardware'
import { sections } from '#/lib/addresses.ts'
import { requestTo, sendRequest } from '#/api/request.ts'
import { holdingReads } from '#/live/heldReads.ts'
import { copyId, type Action } from '#/resource/actions/actions.tsx'
import { reload, roleFor } from '#/resource/kind.ts'
import { ApplySettings } from './ApplySettings.tsx'
import { portSettings } from './queries.ts'

const removalOf = ({ id }: { id: string }) =>
  requestTo(networkingSwitchPortSettingsDelete, { query: { portSettings: id } })

/** The page of settings says how to leave it when they are deleted. */
export const settingsActions = ({ leave }: { leave?: () => Promise<unknown> } = {}): readonly Action<{
  id: string
  name: string
}>[] => [
  copyId('port settings'),
  {
    id: 'edit',
    label: 'Edit',
    role: roleFor(networkingSwitchPortSettingsCreate),
    href: ({ name }) => sections.switchPortSettings.edit({ name }),
  },
  {
    id: 'apply',
    label: 'Apply to a port',
    role: roleFor(networkingSwitchPortApplySettings),
    dialog: ({ name }, close) => <ApplySettings name={name} onDismiss={close} />,
  },
  {
    id: 'delete',
    label: 'Delete',
    role: roleFor(networkingSwitchPortSettingsDelete),
    isDanger: true,
    confirm: {
      noun: 'port settings',
      verb: 'delete',
      done: 'deleted',
      isDanger: true,
      note: () => 'This fails while a port has them.',
      request: removalOf,
      run: (row) => holdingReads(() => sendRequest(removalOf(row))),
      after: async () => {
        if (leave) await holdingReads(leave)
        await reload(portSettings)
      },
    },
  },
]

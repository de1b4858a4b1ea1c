/** Actions on hardware. */
import {
  networkingSwitchPortClearSettings,
  physicalDiskExpunge,
  sledExpunge,
  sledSetProvisionPolicy,
} from '@purlin/contract/operations/hardware/hardware'
import { networkingSwitchPortLldpConfigUpdate } from '@purlin/contract/operations/hardware/lldp'
import type { ProvisionPolicy } from '@purlin/contract/rules/hardware'
import { requestTo, sendRequest } from '#/api/request.ts'
import { paths } from '#/lib/addresses.ts'
import { capitalize } from '#/lib/text.ts'
import { copyId, type Action } from '#/resource/actions/actions.tsx'
import { confirmAction } from '#/resource/actions/confirm.ts'
import { copyWithToast } from '#/resource/actions/copyWithToast.ts'
import { doneText } from '#/resource/actions/toasts.tsx'
import { undoable } from '#/resource/actions/undo.tsx'
import { pageOf } from '#/resource/address/pageOf.ts'
import { reload, roleFor } from '#/resource/kind.ts'
import { addToast } from '#/ui/feedback/toast.ts'
import { Highlight } from '#/ui/value/Highlight.tsx'
import { ClearSettings } from '../change/ClearSettings.tsx'
import { DiscoveryOfPort } from '../change/DiscoveryOfPort.tsx'
import type { Port } from '../switches/ports.ts'
import { physicalDisk, sled, type PhysicalDisk, type Rack, type Sled, type Switch } from '../kinds.ts'

const copySerial = <R,>(noun: string, of: (row: R) => string | undefined): Action<R> => ({
  id: 'copySerial',
  label: 'Copy serial',
  command: null,
  onAction: (row) => copyWithToast(of(row) ?? '', `${capitalize(noun)} serial number`),
})
const view = (kind: 'rack' | 'sled' | 'physicalDisk' | 'switch'): Action<{ id: string }> => ({
  id: 'view',
  label: 'View',
  href: ({ id }) => pageOf(kind, { name: '', id }),
})

const isOpen = ({ policy }: Sled) =>
  policy.kind === 'in_service' && policy.provisionPolicy === 'provisionable'
const policyWords: Record<ProvisionPolicy, string> = {
  provisionable: 'provisionable',
  non_provisionable: 'not provisionable',
}
const notes: Record<ProvisionPolicy, string> = {
  provisionable: 'New instances can start on it again.',
  non_provisionable: 'No new instances start on it. Those that run on it stay.',
}

const policyRequest = ({ id }: Sled, state: ProvisionPolicy) =>
  requestTo(sledSetProvisionPolicy, { params: { sledId: id }, body: { state } })

async function setPolicy(row: Sled, state: ProvisionPolicy): Promise<void> {
  await sendRequest(policyRequest(row, state))
  await reload(sled)
}

const makePolicy = (to: ProvisionPolicy, from: ProvisionPolicy): Action<Sled> => ({
  id: to,
  label: `Make ${policyWords[to]}`,
  role: roleFor(sledSetProvisionPolicy),
  isOffered: (row) => row.policy.kind === 'in_service' && isOpen(row) === (from === 'provisionable'),
  disabledReason: ({ maintenance }) =>
    maintenance ? 'The sled is in maintenance: give it back first' : undefined,
  command: null,
  onAction: (row) => {
    const { serial } = row.baseboard
    confirmAction({
      modalTitle: `Make sled ${policyWords[to]}`,
      modalContent: (
        <p>
          Make sled <Highlight>{serial}</Highlight> {policyWords[to]}? {notes[to]}
        </p>
      ),
      errorTitle: `Could not make sled ${policyWords[to]}`,
      actionType: 'primary',
      command: policyRequest(row, to),
      doAction: async () => {
        await setPolicy(row, to)
        const toast = { content: doneText('Sled', serial, `is ${policyWords[to]}`) }
        const undone = doneText('Sled', serial, `is ${policyWords[from]} again`)
        addToast(undoable(toast, { run: () => setPolicy(row, from), undone }))
      },
    })
  },
})

const expungeSled: Action<Sled> = {
  id: 'expunge',
  label: 'Expunge',
  role: roleFor(sledExpunge),
  isDanger: true,
  isOffered: ({ policy }) => policy.kind === 'in_service',
  disabledReason: ({ missingSince, capacity }) =>
    missingSince || !capacity?.threads.reserved
      ? undefined
      : 'Instances run on it. Empty it first, by its maintenance.',
  confirm: {
    noun: 'sled',
    labelOf: (row) => sled.labelOf(row),
    verb: 'expunge',
    done: 'expunged',
    isDanger: true,
    note: ([row]) =>
      `It is taken out of service for good with its disks. ${row?.missingSince ? 'Instances on it have failed; those that restart by themselves do so on other sleds. ' : ''}This cannot be undone.`,
    typeToConfirm: ({ baseboard }) => baseboard.serial,
    request: ({ id }) => requestTo(sledExpunge, { params: { sledId: id } }),
    after: () => Promise.all([reload(sled), reload(physicalDisk)]),
  },
}

const ofSled: readonly Action<Sled>[] = [
  {
    id: 'maintenance',
    label: 'Maintenance',
    isOffered: ({ policy }) => policy.kind === 'in_service',
    href: ({ id }) => paths.sledTab(id, 'maintenance'),
  },
  makePolicy('provisionable', 'non_provisionable'),
  makePolicy('non_provisionable', 'provisionable'),
  expungeSled,
]
/** Of the page of a sled. */
export const sledPageActions: readonly Action<Sled>[] = [
  copyId('sled'),
  copySerial('sled', ({ baseboard }) => baseboard.serial),
  ...ofSled,
]
/** Of a row of a list. */
export const sledActions: readonly Action<Sled>[] = [...sledPageActions.slice(0, 2), view('sled'), ...ofSled]
const viewSledOfDisk: Action<PhysicalDisk> = {
  id: 'viewSled',
  label: 'View sled',
  isOffered: ({ sledId }) => Boolean(sledId),
  href: ({ sledId }) => pageOf('sled', { name: '', id: sledId ?? '' }),
}
const expungeDisk: Action<PhysicalDisk> = {
  id: 'expunge',
  label: 'Expunge',
  role: roleFor(physicalDiskExpunge),
  isDanger: true,
  isOffered: ({ policy }) => policy.kind === 'in_service',
  confirm: {
    noun: 'disk',
    labelOf: (row) => physicalDisk.labelOf(row),
    verb: 'expunge',
    done: 'expunged',
    isDanger: true,
    note: () =>
      'It is taken out of service for good and is not used again. Instances on its sled may depend on it: empty the sled by its maintenance first. This cannot be undone.',
    typeToConfirm: ({ serial }) => serial,
    request: ({ id }) => requestTo(physicalDiskExpunge, { params: { diskId: id } }),
    after: () => reload(physicalDisk),
  },
}
export const diskPageActions: readonly Action<PhysicalDisk>[] = [
  copyId('disk'),
  copySerial('disk', ({ serial }) => serial),
  viewSledOfDisk,
  expungeDisk,
]
export const diskActions: readonly Action<PhysicalDisk>[] = [
  ...diskPageActions.slice(0, 2),
  view('physicalDisk'),
  viewSledOfDisk,
  expungeDisk,
]
export const rackPageActions: readonly Action<Rack>[] = [
  copyId('rack'),
  copySerial('rack', ({ serial }) => serial),
]
export const rackActions: readonly Action<Rack>[] = [...rackPageActions, view('rack')]
export const switchPageActions: readonly Action<Switch>[] = [
  copyId('switch'),
  copySerial('switch', ({ baseboard }) => baseboard.serial),
]
export const switchActions: readonly Action<Switch>[] = [...switchPageActions, view('switch')]

const withoutSettings = ({ portSettingsId }: Port) =>
  portSettingsId ? undefined : 'The port has no settings'

/** Of a port, in the list of its switch and on its page. */
export const portActions: readonly Action<Port>[] = [
  copyId('port'),
  {
    id: 'lldp',
    label: 'Edit LLDP',
    role: roleFor(networkingSwitchPortLldpConfigUpdate),
    disabledReason: withoutSettings,
    dialog: (port, close) => <DiscoveryOfPort port={port} onDismiss={close} />,
  },
  {
    id: 'clearSettings',
    label: 'Clear settings',
    role: roleFor(networkingSwitchPortClearSettings),
    isDanger: true,
    disabledReason: withoutSettings,
    dialog: (port, close) => <ClearSettings port={port} onDismiss={close} />,
  },
]

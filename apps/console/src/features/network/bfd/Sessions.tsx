import {
  networkingBfdDisable,
  networkingBfdEnable,
  networkingBfdStatus,
} from '@purlin/contract/operations/networking/bfd'
import type { Result } from '@purlin/contract/op'
import { limits } from '@purlin/contract/rules/limits'
import {
  bfdModes,
  switchLocations,
  type BfdMode,
  type BfdState,
  type SwitchLocation,
} from '@purlin/contract/rules/networking'
import { useQuery } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { invalidate } from '#/api/query.ts'
import { requestTo, sendRequest } from '#/api/request.ts'
import { validateIpWithoutZone } from '#/lib/input/ip.ts'
import type { Action } from '#/resource/actions/actions.tsx'
import { showDoneToast } from '#/resource/actions/toasts.tsx'
import { ModalForm } from '#/resource/form/ModalForm.tsx'
import { useLoaded } from '#/resource/form/useLoaded.ts'
import { roleFor } from '#/resource/kind.ts'
import { NumberControl } from '#/ui/form/NumberControl.tsx'
import { RadioGroupControl } from '#/ui/form/RadioGroupControl.tsx'
import { TextControl } from '#/ui/form/TextControl.tsx'
import type { Column } from '#/ui/table/columns.ts'
import { Badge, type BadgeTone } from '#/ui/value/Badge.tsx'
import { Dash } from '#/ui/value/Dash.tsx'
import { CardTable } from '../CardTable.tsx'
import { liveMs } from '../words.ts'
import { statusQuery } from './queries.ts'

type Session = Result<typeof networkingBfdStatus>[number] & { id: string }

const tones: Record<BfdState, BadgeTone> = { up: 'ok', init: 'busy', down: 'danger', admin_down: 'idle' }
const modeWords: Record<BfdMode, string> = { single_hop: 'Single hop', multi_hop: 'Multiple hops' }

const columns: readonly Column<Session>[] = [
  { id: 'peer', header: 'peer', mono: true, isRowHeader: true, cell: ({ peer }) => peer },
  {
    id: 'state',
    header: 'state',
    cell: ({ state }) => (
      <Badge tone={tones[state]} dot>
        {state}
      </Badge>
    ),
  },
  { id: 'switch', header: 'switch', mono: true, cell: (one) => one.switch },
  { id: 'local', header: 'local address', mono: true, cell: ({ local }) => local ?? <Dash /> },
  { id: 'mode', header: 'mode', cell: ({ mode }) => modeWords[mode] },
  {
    id: 'threshold',
    header: 'detection threshold',
    mono: true,
    cell: ({ detectionThreshold }) => detectionThreshold,
  },
  { id: 'rx', header: 'required interval', mono: true, cell: ({ requiredRx }) => `${requiredRx} µs` },
]

const changed = () => invalidate(networkingBfdStatus)
const remove: Action<Session> = {
  id: 'delete',
  label: 'Delete',
  role: roleFor(networkingBfdDisable),
  isDanger: true,
  confirm: {
    noun: 'BFD session',
    labelOf: ({ peer }) => peer,
    verb: 'delete',
    done: 'deleted',
    isDanger: true,
    note: () => 'That the peer cannot be reached is then noticed only by BGP.',
    request: (one) => requestTo(networkingBfdDisable, { body: { switch: one.switch, remote: one.peer } }),
    after: changed,
  },
}

/** The sessions of the switches, as the switches report them. */
export function Sessions() {
  useQuery({ ...statusQuery, refetchInterval: liveMs, throwOnError: false })
  return (
    <CardTable
      title="BFD sessions"
      description="Each session notices within moments that a peer of a switch cannot be reached."
      columns={columns}
      rows={useLoaded(statusQuery).map((one) => ({ ...one, id: `${one.switch} ${one.peer}` }))}
      actions={[remove]}
      add={{
        label: 'New BFD session',
        role: roleFor(networkingBfdEnable),
        dialog: (close) => <CreateSession onDismiss={close} />,
      }}
    />
  )
}

interface Filled {
  switch: SwitchLocation
  remote: string
  local: string
  mode: BfdMode
  detectionThreshold: number
  requiredRx: number
}
const empty: Filled = {
  switch: switchLocations[0],
  remote: '',
  local: '',
  mode: 'single_hop',
  detectionThreshold: 3,
  requiredRx: 300_000,
}

function creationOf({ local, ...filled }: Filled) {
  const own = local.trim() === '' ? {} : { local: local.trim() }
  return requestTo(networkingBfdEnable, { body: { ...filled, ...own, remote: filled.remote.trim() } })
}

function CreateSession({ onDismiss }: { onDismiss: () => void }) {
  const form = useForm<Filled>({ defaultValues: empty })
  const { control } = form
  const save = async (filled: Filled) => {
    await sendRequest(creationOf(filled))
    await changed()
    showDoneToast('BFD session', filled.remote.trim(), 'created')
    onDismiss()
  }
  return (
    <ModalForm
      title="Create BFD session"
      submitLabel="Create"
      form={form}
      onSubmit={save}
      request={creationOf}
      draft="bfdSession"
      onDismiss={onDismiss}
    >
      <RadioGroupControl
        name="switch"
        label="Switch"
        control={control}
        required
        direction="row"
        options={switchLocations.map((value) => ({ value, label: value }))}
      />
      <TextControl
        name="remote"
        label="Peer"
        control={control}
        required
        mono
        hint="The address of the other end"
        validate={validateIpWithoutZone}
      />
      <TextControl
        name="local"
        label="Local address"
        control={control}
        mono
        hint="The switch chooses one if this is empty."
        validate={(text) => (text.trim() === '' ? undefined : validateIpWithoutZone(text))}
      />
      <RadioGroupControl
        name="mode"
        label="Mode"
        control={control}
        required
        direction="row"
        options={bfdModes.map((value) => ({ value, label: modeWords[value] }))}
      />
      <NumberControl
        name="detectionThreshold"
        label="Detection threshold"
        control={control}
        required
        min={1}
        max={255}
        hint="After how many missing packets the peer counts as away"
      />
      <NumberControl
        name="requiredRx"
        label="Required interval"
        control={control}
        required
        min={1}
        max={limits.bfd.requiredRx}
        hint="Microseconds between two packets of the peer"
      />
    </ModalForm>
  )
}

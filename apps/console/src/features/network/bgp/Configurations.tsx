import {
  networkingBgpConfigCreate,
  networkingBgpConfigDelete,
  networkingBgpConfigUpdate,
} from '@purlin/contract/operations/networking/bgp'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { requestTo, sendRequest } from '#/api/request.ts'
import { ReviewChange, type Within } from '#/features/hardware/change/ReviewChange.tsx'
import { copyId, type Action } from '#/resource/actions/actions.tsx'
import { showDoneToast } from '#/resource/actions/toasts.tsx'
import { notSent } from '#/resource/form/drafts/useDraft.tsx'
import { LoadToEdit, type Fresh } from '#/resource/form/fresh/LoadToEdit.tsx'
import { ModalForm } from '#/resource/form/ModalForm.tsx'
import { useLoaded } from '#/resource/form/useLoaded.ts'
import { roleFor } from '#/resource/kind.ts'
import { DescriptionControl } from '#/ui/form/DescriptionControl.tsx'
import { ListboxControl } from '#/ui/form/ListboxControl.tsx'
import { NameControl } from '#/ui/form/NameControl.tsx'
import { NumberControl } from '#/ui/form/NumberControl.tsx'
import { TextControl } from '#/ui/form/TextControl.tsx'
import type { Column } from '#/ui/table/columns.ts'
import { Dash } from '#/ui/value/Dash.tsx'
import { DateTime } from '#/ui/value/DateTime.tsx'
import { CardTable } from '../CardTable.tsx'
import { ImportedRoutes, Messages } from './Learned.tsx'
import { configsChanged, configsQuery, setsQuery, type AnnounceSet, type BgpConfig } from './queries.ts'

const columns: readonly Column<BgpConfig>[] = [
  { id: 'name', header: 'name', isRowHeader: true, cell: ({ name }) => name },
  { id: 'asn', header: 'ASN', mono: true, cell: ({ asn }) => asn },
  { id: 'set', header: 'announce set', cell: ({ bgpAnnounceSetId: id }) => <SetName id={id} /> },
  { id: 'vrf', header: 'VRF', mono: true, cell: ({ vrf }) => vrf ?? <Dash /> },
  { id: 'created', header: 'created', cell: ({ timeCreated }) => <DateTime date={timeCreated} /> },
]

function SetName({ id }: { id: string | undefined }) {
  return useLoaded(setsQuery).find((one) => one.id === id)?.name ?? <Dash />
}

const remove: Action<BgpConfig> = {
  id: 'delete',
  label: 'Delete',
  role: roleFor(networkingBgpConfigDelete),
  isDanger: true,
  confirm: {
    noun: 'BGP configuration',
    verb: 'delete',
    done: 'deleted',
    isDanger: true,
    note: () => 'This fails while settings of switch ports use it.',
    request: ({ id }) => requestTo(networkingBgpConfigDelete, { query: { nameOrId: id } }),
    after: configsChanged,
  },
}

const actions: readonly Action<BgpConfig>[] = [
  copyId('BGP configuration'),
  {
    id: 'routes',
    label: 'View imported routes',
    dialog: (row, close) => <ImportedRoutes config={row} onDismiss={close} />,
  },
  {
    id: 'messages',
    label: 'View messages',
    dialog: (row, close) => <Messages config={row} onDismiss={close} />,
  },
  {
    id: 'edit',
    label: 'Edit',
    role: roleFor(networkingBgpConfigUpdate),
    dialog: ({ id }, close) => (
      <LoadToEdit
        title="Edit BGP configuration"
        read={configsQuery}
        find={(configs) => configs.find((one) => one.id === id)}
        onDismiss={close}
      >
        {(config) => <ConfigForm config={config} onDismiss={close} />}
      </LoadToEdit>
    ),
  },
  remove,
]

/** The configuration of each autonomous system of the switches. */
export const Configurations = () => (
  <CardTable
    title="BGP configurations"
    description="An autonomous system of the switches, and the networks that it announces."
    columns={columns}
    rows={useLoaded(configsQuery)}
    actions={actions}
    add={{
      label: 'New BGP configuration',
      role: roleFor(networkingBgpConfigCreate),
      dialog: (close) => <ConfigForm onDismiss={close} />,
    }}
  />
)

const valuesOf = ({ name, description, asn, vrf, bgpAnnounceSetId }: BgpConfig, sets: AnnounceSet[]) => ({
  name,
  description,
  asn,
  bgpAnnounceSetId: sets.find(({ id }) => id === bgpAnnounceSetId)?.name ?? '',
  vrf: vrf ?? '',
})
const empty = { name: '', description: '', asn: Number.NaN, bgpAnnounceSetId: '', vrf: '' }
type Filled = typeof empty

const creationOf = ({ vrf, ...body }: Filled) =>
  requestTo(networkingBgpConfigCreate, { body: { ...body, ...(vrf === '' ? {} : { vrf }) } })

const changesOf = ({ vrf, ...body }: Filled) => ({ ...body, vrf: vrf === '' ? null : vrf })

const updateOf = ({ id }: BgpConfig, filled: Filled, query: Within = {}) =>
  requestTo(networkingBgpConfigUpdate, { params: { bgpConfig: id }, query, body: changesOf(filled) })

const greatestAsn = 4_294_967_295

interface FormProps {
  /** The one to edit; a new one without. */
  config?: Fresh<BgpConfig>
  onDismiss: () => void
}

function ConfigForm({ config, onDismiss }: FormProps) {
  const sets = useLoaded(setsQuery)
  const form = useForm({ defaultValues: config ? valuesOf(config, sets) : empty })
  const [reviewed, setReviewed] = useState<Filled>()
  const { control } = form
  const save = async (filled: Filled) => {
    await sendRequest(creationOf(filled))
    await configsChanged()
    showDoneToast('BGP configuration', filled.name, 'created')
    onDismiss()
  }
  if (config && reviewed) {
    const updated = async () => {
      await configsChanged()
      showDoneToast('BGP configuration', reviewed.name, 'updated')
      onDismiss()
    }
    return (
      <ReviewChange
        title="Update BGP configuration?"
        change={{ type: 'bgp_config', bgpConfig: config.id, update: changesOf(reviewed) }}
        request={(within) => updateOf(config, reviewed, within)}
        onApplied={updated}
        onDismiss={() => setReviewed(undefined)}
      />
    )
  }
  const review = (filled: Filled) => {
    setReviewed(filled)
    return Promise.resolve(notSent)
  }
  return (
    <ModalForm
      title={config ? 'Edit BGP configuration' : 'Create BGP configuration'}
      submitLabel={config ? 'Update' : 'Create'}
      form={form}
      onSubmit={config ? review : save}
      request={config ? (filled) => updateOf(config, filled) : creationOf}
      draft={config ? { form: 'bgpConfig', place: config.id, isChange: true } : 'bgpConfig'}
      onDismiss={onDismiss}
    >
      <NameControl name="name" control={control} />
      <DescriptionControl name="description" control={control} />
      <NumberControl
        name="asn"
        label="ASN"
        control={control}
        required
        min={1}
        max={greatestAsn}
        hint="The number of the autonomous system. There is one configuration for each."
      />
      <ListboxControl
        name="bgpAnnounceSetId"
        label="Announce set"
        control={control}
        required
        placeholder="Select an announce set"
        hint={sets.length === 0 ? 'Create an announce set first.' : undefined}
        items={sets.map(({ name, description }) => ({ value: name, label: name, description }))}
      />
      <TextControl name="vrf" label="VRF" control={control} mono />
    </ModalForm>
  )
}

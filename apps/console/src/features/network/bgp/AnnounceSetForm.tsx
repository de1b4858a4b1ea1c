import { networkingBgpAnnounceSetUpdate } from '@purlin/contract/operations/networking/bgp'
import { limits } from '@purlin/contract/rules/limits'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useController, useForm, useWatch, type Control } from 'react-hook-form'
import { requestTo, sendRequest } from '#/api/request.ts'
import { validateIpNet } from '#/lib/input/ip.ts'
import { showDoneToast } from '#/resource/actions/toasts.tsx'
import { notSent } from '#/resource/form/drafts/useDraft.tsx'
import { LoadToEdit, type Fresh } from '#/resource/form/fresh/LoadToEdit.tsx'
import { ModalForm } from '#/resource/form/ModalForm.tsx'
import { Button } from '#/ui/button/Button.tsx'
import { MiniTable } from '#/ui/field/MiniTable.tsx'
import { DescriptionControl } from '#/ui/form/DescriptionControl.tsx'
import { ListboxControl } from '#/ui/form/ListboxControl.tsx'
import { NameControl } from '#/ui/form/NameControl.tsx'
import { TextControl } from '#/ui/form/TextControl.tsx'
import { ReviewChange, type Within } from '#/features/hardware/change/ReviewChange.tsx'
import { rangeOf, useBlocks } from '../blocks.tsx'
import { blocksQuery, lotsQuery } from '../kinds.ts'
import { setsChanged, wholeSetQuery, type AnnounceSet, type WholeSet } from './queries.ts'

interface Announced {
  addressLotBlock: string
  network: string
}
interface Filled {
  name: string
  description: string
  announcement: Announced[]
}

export const NewAnnounceSet = ({ onDismiss }: { onDismiss: () => void }) => (
  <SetForm filled={{ name: '', description: '', announcement: [] }} onDismiss={onDismiss} />
)

/** Changes the description and the networks of a set, whose name stays. */
export const EditAnnounceSet = ({ set, onDismiss }: { set: AnnounceSet; onDismiss: () => void }) => (
  <LoadToEdit title="Edit announce set" read={wholeSetQuery(set.id)} onDismiss={onDismiss}>
    {(now) => <SetForm isKnown filled={filledFrom(now)} onDismiss={onDismiss} />}
  </LoadToEdit>
)

const filledFrom = ({ name, description, networks }: Fresh<WholeSet>): Filled => ({
  name,
  description,
  announcement: networks.map(({ addressLotBlockId: addressLotBlock, network }) => ({
    addressLotBlock,
    network,
  })),
})

interface SetFormProps {
  filled: Filled
  isKnown?: boolean
  onDismiss: () => void
}

function SetForm({ filled, isKnown = false, onDismiss }: SetFormProps) {
  const form = useForm<Filled>({ defaultValues: filled })
  const { control } = form
  const [reviewed, setReviewed] = useState<Filled>()
  const request = (body: Filled, query: Within = {}) =>
    requestTo(networkingBgpAnnounceSetUpdate, { query, body })
  const saved = async ({ name }: Filled) => {
    await setsChanged()
    showDoneToast('Announce set', name, isKnown ? 'updated' : 'created')
    onDismiss()
  }
  if (reviewed)
    return (
      <ReviewChange
        title="Update announce set?"
        change={{ type: 'announce_set', announceSet: reviewed }}
        request={(within) => request(reviewed, within)}
        onApplied={() => saved(reviewed)}
        onDismiss={() => setReviewed(undefined)}
      />
    )
  return (
    <ModalForm
      title={isKnown ? 'Edit announce set' : 'Create announce set'}
      submitLabel={isKnown ? 'Update' : 'Create'}
      form={form}
      onSubmit={async (filled) => {
        // No autonomous system announces a new set yet.
        if (isKnown) {
          setReviewed(filled)
          return notSent
        }
        await sendRequest(request(filled))
        await saved(filled)
      }}
      request={(filled) => request(filled)}
      draft={isKnown ? { form: 'announceSet', place: filled.name, isChange: true } : 'announceSet'}
      onDismiss={onDismiss}
    >
      {isKnown ? (
        <p>
          <span className="text-secondary">Name </span>
          {filled.name}
        </p>
      ) : (
        <NameControl name="name" control={control} />
      )}
      <DescriptionControl name="description" control={control} />
      <Networks control={control} />
    </ModalForm>
  )
}

function Networks({ control }: { control: Control<Filled> }) {
  const { field } = useController({ control, name: 'announcement' })
  const [isAdding, setAdding] = useState(false)
  const { announcements: most } = limits.bgp
  const blockWith = useBlocks()
  const labelOf = (id: string) => {
    const found = blockWith(id)
    return found ? `${found.range} in ${found.lot}` : id
  }
  return (
    <section aria-labelledby="announced" className="flex flex-col gap-3">
      <h3 id="announced" className="font-medium">
        Networks
      </h3>
      <MiniTable
        label="Networks"
        columns={[
          { header: 'Network', cell: ({ network }) => network },
          { header: 'Block', cell: ({ addressLotBlock }) => labelOf(addressLotBlock) },
        ]}
        emptyText="No networks: nothing is announced."
        rows={field.value}
        rowKey={({ network, addressLotBlock }) => `${network} ${addressLotBlock}`}
        onRemove={(one) => field.onChange(field.value.filter((other) => other !== one))}
        removeLabel={({ network }) => `Remove network ${network}`}
      />
      <div>
        <Button
          size="small"
          disabledReason={field.value.length >= most ? `A set has at most ${most} networks` : undefined}
          onClick={() => setAdding(true)}
        >
          Add network
        </Button>
      </div>
      {isAdding && (
        <AddNetwork
          onAdd={(one) => field.onChange([...field.value, one])}
          onDismiss={() => setAdding(false)}
        />
      )}
    </section>
  )
}

interface AddNetworkProps {
  onAdd: (one: Announced) => void
  onDismiss: () => void
}

function AddNetwork({ onAdd, onDismiss }: AddNetworkProps) {
  const form = useForm({ defaultValues: { lot: '', addressLotBlock: '', network: '' } })
  const { control } = form
  const lot = useWatch({ control, name: 'lot' })
  const lots = useQuery(lotsQuery)
  const blocks = useQuery({ ...blocksQuery(lot), enabled: lot !== '' })
  return (
    <ModalForm
      title="Add network"
      submitLabel="Add"
      form={form}
      onSubmit={({ addressLotBlock, network }) => {
        onAdd({ addressLotBlock, network: network.trim() })
        onDismiss()
        return Promise.resolve()
      }}
      request={null}
      onDismiss={onDismiss}
    >
      <ListboxControl
        name="lot"
        label="Address lot"
        control={control}
        required
        loading={lots.isPending}
        placeholder="Select a lot"
        items={(lots.data ?? []).map(({ name, description }) => ({ value: name, label: name, description }))}
        onValue={() => form.setValue('addressLotBlock', '')}
      />
      <ListboxControl
        name="addressLotBlock"
        label="Block"
        control={control}
        required
        loading={lot !== '' && blocks.isPending}
        disabledReason={lot === '' ? 'Select a lot first' : undefined}
        placeholder="Select a block"
        items={(blocks.data ?? []).map((block) => ({ value: block.id, label: rangeOf(block) }))}
      />
      <TextControl
        name="network"
        label="Network"
        control={control}
        required
        mono
        placeholder="203.0.113.0/24"
        validate={validateIpNet}
      />
    </ModalForm>
  )
}

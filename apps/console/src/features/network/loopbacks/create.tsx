import { networkingLoopbackAddressCreate } from '@purlin/contract/operations/networking/address-lots'
import { parseIp, bitsOf } from '@purlin/contract/rules/network/ip'
import { switchLocations } from '@purlin/contract/rules/networking'
import { createFileRoute, useNavigate } from '@tanstack/react-router'
import { useForm } from 'react-hook-form'
import { load } from '#/api/query.ts'
import { requestTo, sendRequest } from '#/api/request.ts'
import { sections } from '#/lib/addresses.ts'
import { validateIpWithoutZone } from '#/lib/input/ip.ts'
import { formRoute } from '#/resource/address/routeOptions.tsx'
import { showDoneToast } from '#/resource/actions/toasts.tsx'
import { ResourceForm } from '#/resource/form/ResourceForm.tsx'
import { useLoaded } from '#/resource/form/useLoaded.ts'
import { reload, roleScope } from '#/resource/kind.ts'
import { useRole } from '#/resource/role/useRole.ts'
import { CheckboxControl } from '#/ui/form/CheckboxControl.tsx'
import { ListboxControl } from '#/ui/form/ListboxControl.tsx'
import { NumberControl } from '#/ui/form/NumberControl.tsx'
import { RadioGroupControl } from '#/ui/form/RadioGroupControl.tsx'
import { TextControl } from '#/ui/form/TextControl.tsx'
import { loopbackAddress, lotsQuery } from '../kinds.ts'
import { racksQuery } from './queries.ts'

export const Route = createFileRoute(
  '/_auth/system/networking/_network/_tabs/_loopback-addresses/loopback-addresses-new',
)({
  ...formRoute('New loopback address'),
  loader: () => Promise.all([load(lotsQuery), load(racksQuery)]),
  component: CreateLoopback,
})

interface Filled {
  addressLot: string
  address: string
  mask: number
  rackId: string
  switchLocation: string
  anycast: boolean
}

function CreateLoopback() {
  const navigate = useNavigate()
  const lots = useLoaded(lotsQuery)
  const racks = useLoaded(racksQuery)
  const { lacks } = useRole(...roleScope(loopbackAddress, {}))
  const form = useForm<Filled>({
    defaultValues: {
      addressLot: '',
      address: '',
      mask: 32,
      rackId: racks[0]?.id ?? '',
      switchLocation: switchLocations[0],
      anycast: false,
    },
  })
  const { control } = form
  const close = () => navigate({ href: sections.loopbackAddress.list(), ignoreBlocker: true })
  const request = (filled: Filled) =>
    requestTo(networkingLoopbackAddressCreate, { body: { ...filled, address: filled.address.trim() } })
  const save = async (filled: Filled) => {
    const made = await sendRequest(request(filled))
    await reload(loopbackAddress)
    showDoneToast('Loopback address', made.address, 'created')
    await close()
  }
  return (
    <ResourceForm
      title="Create loopback address"
      form={form}
      draft={loopbackAddress.name}
      onSubmit={save}
      request={request}
      onDismiss={() => void close()}
      submitDisabledReason={lacks('admin')}
    >
      <ListboxControl
        name="addressLot"
        label="Address lot"
        control={control}
        required
        placeholder="Select a lot"
        hint="The lot that has the address"
        items={lots.map(({ name, description }) => ({ value: name, label: name, description }))}
      />
      <TextControl
        name="address"
        label="Address"
        control={control}
        required
        mono
        validate={validateIpWithoutZone}
      />
      <NumberControl
        name="mask"
        label="Prefix length"
        required
        control={control}
        min={0}
        max={128}
        validate={(mask, { address }) => {
          const most = bitsOf(parseIp(address.trim())?.family ?? 6)
          return mask > most ? `At most ${most} for this address` : undefined
        }}
      />
      <ListboxControl
        name="rackId"
        label="Rack"
        control={control}
        required
        items={racks.map(({ id, serial }) => ({ value: id, label: serial ?? id }))}
      />
      <RadioGroupControl
        name="switchLocation"
        label="Switch"
        required
        control={control}
        direction="row"
        options={switchLocations.map((value) => ({ value, label: value }))}
      />
      <CheckboxControl
        name="anycast"
        label="Anycast"
        control={control}
        hint="Both switches may have the address."
      />
    </ResourceForm>
  )
}

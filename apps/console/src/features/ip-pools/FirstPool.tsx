import { currentUserView } from '@purlin/contract/operations/access/sessions'
import {
  ipPoolRangeAdd,
  ipPoolRangeList,
  ipPoolSiloLink,
  ipPoolSiloList,
} from '@purlin/contract/operations/addresses/system-ip-pools'
import { projectIpPoolList } from '@purlin/contract/operations/addresses/ip-pools'
import { useForm } from 'react-hook-form'
import { invalidate, load, query } from '#/api/query.ts'
import { requestTo, sendRequest, type ApiRequest } from '#/api/request.ts'
import { send, sendIfThere } from '#/api/send.ts'
import { ResourceForm } from '#/resource/form/ResourceForm.tsx'
import { reload } from '#/resource/kind.ts'
import { kinds } from '#/resource/kinds.ts'
import { useRole } from '#/resource/role/useRole.ts'
import { addToast } from '#/ui/feedback/toast.ts'
import { NameControl } from '#/ui/form/NameControl.tsx'
import { TextControl } from '#/ui/form/TextControl.tsx'
import { rangeProblem, validateRangeAddress } from './ranges/ranges.ts'

interface Values {
  name: string
  first: string
  last: string
}

export interface FirstPoolProps {
  /** Runs with its name before the form is closed. */
  onMade?: (name: string) => void
  onClose: () => void
  animate?: boolean
}

/** The form of the first pool: it gets its addresses, and becomes the default of the user's silo. */
export function FirstPool({ onMade, onClose, animate = false }: FirstPoolProps) {
  const form = useForm<Values>({ defaultValues: { name: 'default', first: '', last: '' } })
  const { control } = form
  const submit = async (values: Values) => {
    for (const request of await requestsFor(values)) await sendRequest(request)
    void reload(kinds.ipPool)
    await invalidate(projectIpPoolList)
    addToast({ content: `IP pool ${values.name} is the default of your silo.` })
    onMade?.(values.name)
    onClose()
  }
  return (
    <ResourceForm
      title="Create the default IP pool"
      form={form}
      onSubmit={submit}
      request={requestsFor}
      onDismiss={onClose}
      animate={animate}
      submitDisabledReason={useRole(undefined, 'fleet').lacks('admin')}
    >
      <p className="text-secondary">
        Instances get their external addresses from it, and packets to the outside are sent from one of them.
        Enter a range that your network routes to this system.
      </p>
      <NameControl name="name" control={control} />
      <TextControl
        name="first"
        control={control}
        label="First address"
        refusesEmpty
        mono
        validate={validateRangeAddress}
      />
      <TextControl
        name="last"
        control={control}
        label="Last address"
        refusesEmpty
        mono
        validate={(last, { first }) => validateRangeAddress(last) ?? rangeProblem({ first, last }, [])}
      />
    </ResourceForm>
  )
}

/** The requests that make the pool, or complete one that an earlier attempt has begun. */
async function requestsFor({ name, first, last }: Values): Promise<ApiRequest[]> {
  const params = { pool: name }
  const [me, known] = await Promise.all([
    load(query(currentUserView, { query: {} })),
    sendIfThere(kinds.ipPool.view, { params }),
  ])
  const make = requestTo(kinds.ipPool.create, { body: { name, description: '' } })
  const fill = requestTo(ipPoolRangeAdd, { params, body: { first: first.trim(), last: last.trim() } })
  const link = requestTo(ipPoolSiloLink, { params, body: { silo: me.siloId, isDefault: true } })
  if (!known) return [make, fill, link]
  const ranges = await send(ipPoolRangeList, { params, query: { limit: 1 } })
  const links = await send(ipPoolSiloList, { params, query: {} })
  const isLinked = links.items.some(({ siloId }) => siloId === me.siloId)
  return [...(ranges.items.length === 0 ? [fill] : []), ...(isLinked ? [] : [link])]
}

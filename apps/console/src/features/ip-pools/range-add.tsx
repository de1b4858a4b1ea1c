import { ipPoolRangeAdd } from '@purlin/contract/operations/system-ip-pools'
import { createFileRoute, useNavigate } from '@tanstack/react-router'
import { useForm, useWatch } from 'react-hook-form'
import { send } from '#/api/send.ts'
import { sections } from '#/lib/addresses.ts'
import { kinds, roleScope } from '#/resource/kinds.ts'
import { ResourceForm } from '#/resource/ResourceForm.tsx'
import { formRoute } from '#/resource/routeOptions.tsx'
import { useLoaded } from '#/resource/useLoaded.ts'
import { useRole } from '#/resource/useRole.ts'
import { TextControl } from '#/ui/form/TextControl.tsx'
import { Notice } from '#/ui/Notice.tsx'
import { addToast } from '#/ui/toast.ts'
import { rangesQuery } from './operatorQueries.ts'
import { rangeProblem, sizeOfRange, validateRangeAddress } from './ranges.ts'
import { rangesChanged } from './rangeActions.tsx'

// The page of the pool has loaded its ranges.
export const Route = createFileRoute('/_auth/system/networking/_pools/ip-pools/$pool/ranges-add')({
  ...formRoute('Add Range'),
  component: AddRange,
})

const title = 'Add IP range'

function AddRange() {
  const { pool } = Route.useParams()
  const navigate = useNavigate()
  const { lacks } = useRole(...roleScope(kinds.ipPool, {}))
  const present = useLoaded(rangesQuery(pool)).map(({ range }) => range)
  const form = useForm({ defaultValues: { first: '', last: '' } })
  const [first, last] = useWatch({ control: form.control, name: ['first', 'last'] })
  const size = sizeOfRange({ first, last })
  const close = () => navigate({ href: sections.ipPool.view({ name: pool }), ignoreBlocker: true })
  const add = async (filled: { first: string; last: string }) => {
    const body = { first: filled.first.trim(), last: filled.last.trim() }
    await send(ipPoolRangeAdd, { params: { pool }, body })
    void rangesChanged()
    addToast({ content: 'IP range added' })
    await close()
  }
  return (
    <ResourceForm
      title={title}
      form={form}
      onSubmit={add}
      onDismiss={() => void close()}
      submitDisabledReason={lacks('admin')}
    >
      <Notice>
        Ranges have IPv4 addresses and include both the first and the last one. The last must not be lower
        than the first, and no two ranges may overlap, of whatever pools they are.
      </Notice>
      <TextControl
        name="first"
        control={form.control}
        required
        mono
        hint="The lowest address of the range"
        validate={validateRangeAddress}
      />
      <TextControl
        name="last"
        control={form.control}
        required
        mono
        hint={
          size === undefined
            ? 'The highest address of the range; the first again for a single one'
            : `${size.toLocaleString()} ${size === 1 ? 'address' : 'addresses'}`
        }
        validate={(text, values) => validateRangeAddress(text) ?? rangeProblem(values, present)}
      />
    </ResourceForm>
  )
}

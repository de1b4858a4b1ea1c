import { useNavigate } from '@tanstack/react-router'
import { useForm, useWatch } from 'react-hook-form'
import { sendRequest } from '#/api/request.ts'
import { roleScope } from '#/resource/kind.ts'
import { kinds } from '#/resource/kinds.ts'
import { ResourceForm } from '#/resource/form/ResourceForm.tsx'
import { useLoaded } from '#/resource/form/useLoaded.ts'
import { useRole } from '#/resource/role/useRole.ts'
import { TextControl } from '#/ui/form/TextControl.tsx'
import { Notice } from '#/ui/feedback/Notice.tsx'
import { addToast } from '#/ui/feedback/toast.ts'
import { rangesChanged, type RangedPool } from './poolRanges.ts'
import { rangeProblem, sizeOfRange, validateRangeAddress, type Bounds } from './ranges.ts'

const title = 'Add IP range'

/** The side modal that adds a range to a pool, whose page has loaded the present ones. */
export function AddRangeForm({ pool }: { pool: RangedPool }) {
  const navigate = useNavigate()
  const { lacks } = useRole(...roleScope(kinds.ipPool, {}))
  const present = useLoaded(pool.ranges).map(({ range }) => range)
  const form = useForm({ defaultValues: { first: '', last: '' } })
  const [first, last] = useWatch({ control: form.control, name: ['first', 'last'] })
  const size = sizeOfRange({ first, last })
  const close = () => navigate({ href: pool.href, ignoreBlocker: true })
  const request = (filled: Bounds) => pool.add({ first: filled.first.trim(), last: filled.last.trim() })
  const add = async (filled: { first: string; last: string }) => {
    await sendRequest(request(filled))
    void rangesChanged()
    addToast({ content: 'IP range added' })
    await close()
  }
  return (
    <ResourceForm
      title={title}
      form={form}
      draft="ipRange"
      onSubmit={add}
      request={request}
      onDismiss={() => void close()}
      submitDisabledReason={lacks('admin')}
    >
      <Notice>
        Ranges have IPv4 addresses and include both the first and the last one. The last must not be lower
        than the first. Ranges must not overlap, even across pools.
      </Notice>
      <TextControl
        name="first"
        control={form.control}
        refusesEmpty
        mono
        hint="The lowest address of the range"
        validate={validateRangeAddress}
      />
      <TextControl
        name="last"
        control={form.control}
        refusesEmpty
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

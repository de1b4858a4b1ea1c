/** The rules and routes that name what is renamed, for its form. Apart from the questions, which need no library of forms. */
import { vpcPreview } from '@purlin/contract/operations/vpcs/vpc-preview'
import type { Args } from '@purlin/contract/op'
import { useQuery } from '@tanstack/react-query'
import { useWatch, type Control, type FieldValues } from 'react-hook-form'
import { query } from '#/api/query.ts'
import type { Scope } from '#/lib/addresses.ts'
import { Notice } from '#/ui/feedback/Notice.tsx'
import type { Preview } from './losses.tsx'
import { formPart } from '#/ui/form/formPart.ts'

const most = 20
const formOfName = formPart<{ name: string }>()

interface RenameNoticeProps<V extends FieldValues> {
  /** Of a form with `name`. */
  control: Control<V>
  /** The name as it is. */
  name: string
  scope: Scope
  change: Args<typeof vpcPreview>['body']['change']
}

/** In a form, once its name is another one: which rules and routes have the old one. */
export function RenameNotice<V extends { name: string }>({
  control,
  name,
  scope: { project = '', vpc = '' },
  change,
}: RenameNoticeProps<V>) {
  const isRenamed = useWatch({ control: formOfName(control), name: 'name' }) !== name
  const { data } = useQuery({
    ...query(vpcPreview, { params: { vpc }, query: { project }, body: { change } }),
    enabled: isRenamed,
    throwOnError: false,
  })
  if (!isRenamed || !data || data.totalReferences === 0) return null
  const { references, totalReferences } = data
  const named = references.slice(0, most)
  const more = totalReferences - named.length
  const namesOf = (kind: Preview['references'][number]['kind']) =>
    named
      .filter((one) => one.kind === kind)
      .map(({ name }) => name)
      .join(', ')
  const [rules, routes] = [namesOf('firewall_rule'), namesOf('route')]
  return (
    <Notice title="These references will be updated">
      {rules !== '' && <p>Firewall rules: {rules}</p>}
      {routes !== '' && <p>Routes: {routes}</p>}
      {more > 0 && <p>{more} more</p>}
    </Notice>
  )
}

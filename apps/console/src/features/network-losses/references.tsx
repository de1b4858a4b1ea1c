/** The rules and routes that name what is deleted or renamed, for the question or form before it. */
import { vpcPreview } from '@purlin/contract/operations/vpc-effects'
import type { Args } from '@purlin/contract/op'
import { useQuery } from '@tanstack/react-query'
import { useWatch, type Control, type FieldValues, type Path } from 'react-hook-form'
import { query } from '#/api/query.ts'
import { paths, type Scope, type VpcTarget } from '#/lib/addresses.ts'
import { closeConfirm } from '#/resource/confirm.ts'
import { TextLink } from '#/ui/link.tsx'
import { Notice } from '#/ui/Notice.tsx'
import type { Losses, Preview } from './losses.tsx'

type Named = Preview['references'][number]

const shown = 5
const mostInForm = 20
const nouns = { firewall_rule: 'firewall rule', route: 'route' }

/** Where a rule or route is marked in its list. */
const hrefOf = ({ kind, id, name, router }: Named, vpc: VpcTarget): string =>
  kind === 'firewall_rule' ? paths.firewallRule(vpc, name) : paths.route({ ...vpc, router: router ?? '' }, id)

/** What becomes of the rules and routes of a VPC that name what is deleted. */
export function ReferencesOf({ losses, vpc }: { losses: Losses; vpc: VpcTarget }) {
  if (!losses || losses.totalReferences === 0) return null
  const { references, totalReferences } = losses
  const more = totalReferences - Math.min(shown, references.length)
  return (
    <>
      <p>
        {totalReferences === 1 ? 'This names it' : 'These name it'} in VPC {vpc.vpc}, and no longer{' '}
        {totalReferences === 1 ? 'finds' : 'find'} it afterwards:
      </p>
      <ul className="max-h-40 list-disc overflow-y-auto pl-5 text-ink">
        {references.slice(0, shown).map((one) => (
          <li key={one.id}>
            {nouns[one.kind]}{' '}
            <TextLink href={hrefOf(one, vpc)} onClick={closeConfirm}>
              {one.name}
            </TextLink>
            : {one.hasEffect ? one.text : `It will have no effect. ${one.text}`}
          </li>
        ))}
        {more > 0 && <li>{more} more</li>}
      </ul>
    </>
  )
}

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
  const isRenamed = (useWatch({ control, name: 'name' as Path<V> }) as string) !== name
  const { data } = useQuery({
    ...query(vpcPreview, { params: { vpc }, query: { project }, body: { change } }),
    enabled: isRenamed,
    throwOnError: false,
  })
  if (!isRenamed || !data || data.totalReferences === 0) return null
  const { references, totalReferences } = data
  const named = references.slice(0, mostInForm)
  const more = totalReferences - named.length
  const namesOf = (kind: Named['kind']) =>
    named
      .filter((one) => one.kind === kind)
      .map(({ name }) => name)
      .join(', ')
  const [rules, routes] = [namesOf('firewall_rule'), namesOf('route')]
  return (
    <Notice title="These name it, and get the new name">
      {rules !== '' && <p>Firewall rules: {rules}</p>}
      {routes !== '' && <p>Routes: {routes}</p>}
      {more > 0 && <p>{more} more</p>}
    </Notice>
  )
}

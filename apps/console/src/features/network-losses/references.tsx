/** The rules and routes that name what is deleted or have its address, for the question before it. */
import type { VpcTarget } from '#/lib/addresses.ts'
import { pageOf } from '#/resource/address/pageOf.ts'
import { closeConfirm } from '#/resource/actions/confirm.ts'
import { TextLink } from '#/ui/button/link.tsx'
import type { Losses, Preview } from './losses.tsx'

type Named = Preview['references'][number]

const shown = 5
const nouns = { firewall_rule: 'firewall rule', route: 'route' }

/** Where a rule or route is marked in its list. */
const hrefOf = ({ kind, id, name, router }: Named, vpc: VpcTarget): string =>
  kind === 'firewall_rule'
    ? pageOf('vpcFirewallRule', { ...vpc, name, id })
    : pageOf('vpcRouterRoute', { ...vpc, router: router ?? '', name, id })

/** The result for the rules and routes of a VPC that refer to the deleted resource or its address. */
export function ReferencesOf({ losses, vpc }: { losses: Losses; vpc: VpcTarget }) {
  if (!losses || losses.totalReferences === 0) return null
  const { references, totalReferences } = losses
  const more = totalReferences - Math.min(shown, references.length)
  return (
    <>
      <p>
        {totalReferences === 1 ? 'This reference' : 'These references'} in VPC {vpc.vpc} will no longer be
        valid:
      </p>
      <ul className="max-h-40 list-disc overflow-y-auto pl-5 leading-6 text-ink">
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

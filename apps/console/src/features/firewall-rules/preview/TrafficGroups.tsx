import { countOf } from '@purlin/contract/rules/kinds'
import type { Preview } from '#/features/network-losses/losses.tsx'
import { Badge } from '#/ui/value/Badge.tsx'

type Traffic = NonNullable<Preview['traffic']>
type Group = Traffic['groups'][number]

const mostGroups = 10
const mostNamed = 5

const andMore = (count: number): string => (count > 0 ? ` and ${count.toLocaleString()} more` : '')

/** The instances that gain or lose the same, together. */
export function TrafficGroups({ traffic: { groups, totalGroups, complete } }: { traffic: Traffic }) {
  return (
    <>
      <p role="status">{summaryOf(groups)}</p>
      {groups.slice(0, mostGroups).map((group) => (
        <TrafficGroup key={group.instances.map(({ instanceId }) => instanceId).join()} group={group} />
      ))}
      {totalGroups > mostGroups && (
        <p className="text-secondary">
          Other instances gain or lose other traffic{andMore(totalGroups - mostGroups)}.
        </p>
      )}
      {!complete && (
        <p className="text-secondary">The rules are too many to compare all traffic: there may be more.</p>
      )}
    </>
  )
}

function summaryOf(groups: readonly Group[]): string {
  const count = (of: 'opens' | 'closes') =>
    groups.reduce((sum, group) => sum + (group[of].length > 0 ? group.totalInstances : 0), 0)
  const instances = (number: number) => countOf(number, 'instance')
  const [opened, closed] = [count('opens'), count('closes')]
  if (opened + closed === 0) return 'Nothing changes: no instance gains or loses traffic.'
  if (closed === 0) return `Opens traffic of ${instances(opened)}.`
  if (opened === 0) return `Closes traffic of ${instances(closed)}.`
  return `Opens traffic of ${instances(opened)}, closes traffic of ${instances(closed)}.`
}

function TrafficGroup({ group: { opens, closes, instances, totalInstances } }: { group: Group }) {
  const named = instances.slice(0, mostNamed).map(({ name }) => name)
  return (
    <div className="border-t border-line-faint pt-3">
      <p className="mono font-medium wrap-anywhere">
        {named.join(', ')}
        {andMore(totalInstances - named.length)}
      </p>
      <ul className="mt-1.5 flex flex-col gap-1.5">
        {[
          ...opens.map((one) => ({ one, isOpen: true })),
          ...closes.map((one) => ({ one, isOpen: false })),
        ].map(({ one: { text, direction }, isOpen }) => (
          <li key={`${direction} ${isOpen} ${text}`} className="flex items-baseline gap-2">
            <Badge tone={isOpen ? 'ok' : 'danger'}>{isOpen ? 'Opens' : 'Closes'}</Badge>
            <span className="min-w-0 wrap-anywhere">{text}</span>
          </li>
        ))}
      </ul>
    </div>
  )
}

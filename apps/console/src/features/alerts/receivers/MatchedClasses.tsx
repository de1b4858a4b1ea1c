import { alertClasses, matchesClass, probeClass } from '@purlin/contract/rules/alerts/classes'
import { countOf } from '@purlin/contract/rules/kinds'
import { linesOf } from '#/lib/input/lines.ts'

/** The classes of alerts that subscriptions match as they are typed. */
export function MatchedClasses({ text }: { text: string }) {
  const subscriptions = linesOf(text)
  const matched = alertClasses.filter(
    ({ name }) => name !== probeClass && subscriptions.some((one) => matchesClass(one, name)),
  )
  return (
    <div aria-live="polite" className="text-hint text-secondary">
      <p>
        {matched.length === 0
          ? 'Matches no class of alerts that there is now.'
          : `Matches ${countOf(matched.length, 'class')} of alerts:`}
      </p>
      <ul aria-label="Matched classes" className="mt-1">
        {matched.map(({ name, description }) => (
          <li key={name}>
            <span className="mono text-ink">{name}</span> {description}
          </li>
        ))}
      </ul>
    </div>
  )
}

import { useWatch, type UseFormReturn } from 'react-hook-form'
import { errorMessage } from '#/api/errors.ts'
import { LossesOf, type Preview } from '#/features/network-losses/losses.tsx'
import { PreviewProblem, PreviewSkeleton } from '#/features/network-losses/PreviewStates.tsx'
import { TypedPreview } from '#/features/network-losses/TypedPreview.tsx'
import type { VpcTarget } from '#/lib/addresses.ts'
import { useRules, type Rule } from '../queries.ts'
import type { Change, NewRule } from '../rules/changes.ts'
import type { RuleValues } from '../rules/values.ts'
import { isAsStored, missingIn, previewed } from './previewed.ts'
import { TrafficGroups } from './TrafficGroups.tsx'

interface RulePreviewProps {
  form: UseFormReturn<RuleValues>
  vpc: VpcTarget
  seen: Rule | undefined
  changeOf: (rule: NewRule) => Change
}

/** The instances that a rule opens and closes as it stands in its form, compared with the rules as they are. */
export function RulePreview({ form: { control }, vpc, seen, changeOf }: RulePreviewProps) {
  const values = useWatch({ control }) as RuleValues
  const { rules, hasAll, error, retry } = useRules(vpc)
  const missing = missingIn(values)
  if (missing.length > 0)
    return (
      <>
        <p className="text-secondary">To see which instances the rule opens and closes:</p>
        <ul className="mt-1 list-disc pl-5">
          {missing.map((text) => (
            <li key={text}>{text}</li>
          ))}
        </ul>
      </>
    )
  if (seen && isAsStored(values, seen))
    return <p className="text-secondary">The rule does what it did: nothing has been changed yet.</p>
  if (error) return <PreviewProblem error={error} retry={retry} />
  if (!rules || !hasAll) return <PreviewSkeleton />
  const taken = rules.map(({ name }) => name).filter((name) => name !== seen?.name)
  const rule = previewed(values, taken)
  const changed = attempt(changeOf(rule), rules)
  if (typeof changed === 'string') return <p className="text-secondary">{changed}</p>
  return <Effect vpc={vpc} rules={changed} name={rule.name} />
}

/** The rules after a change, or why it cannot be made: another user may have changed them. */
function attempt(change: Change, rules: readonly Rule[]): NewRule[] | string {
  try {
    return change(rules)
  } catch (error) {
    return errorMessage(error)
  }
}

const Effect = ({ vpc, rules, name }: { vpc: VpcTarget; rules: NewRule[]; name: string }) => (
  <TypedPreview vpc={vpc} body={{ change: { type: 'firewall_rules', rules }, traffic: true }}>
    {(preview) => (
      <div className="flex flex-col gap-4">
        {preview.traffic ? <TrafficGroups traffic={preview.traffic} /> : <LossesOf losses={preview} />}
        <RuleNote preview={preview} name={name} />
      </div>
    )}
  </TypedPreview>
)

/** Why the rule has no effect, or less than it seems to have. */
function RuleNote({ preview, name }: { preview: Preview; name: string }) {
  const effect = preview.effects.rules.find((one) => one.name === name)
  if (effect) return <p className="text-secondary">{effect.text}</p>
  return (
    preview.traffic?.totalGroups === 0 && (
      <p className="text-secondary">
        Rules that come first decide about this traffic already, or no instance can send or get it. From
        outside, only instances with an external address can be reached.
      </p>
    )
  )
}

import { vpcPreview } from '@purlin/contract/operations/vpcs/vpc-preview'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useWatch, type UseFormReturn } from 'react-hook-form'
import { errorMessage } from '#/api/errors.ts'
import { query } from '#/api/query.ts'
import { LossesOf, type Preview } from '#/features/network-losses/losses.tsx'
import { PreviewProblem, PreviewSkeleton } from '#/features/network-losses/PreviewStates.tsx'
import type { VpcTarget } from '#/lib/addresses.ts'
import { useDebounced } from '#/resource/list/useDebounced.ts'
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

function Effect({ vpc, rules, name }: { vpc: VpcTarget; rules: NewRule[]; name: string }) {
  // Typing must not ask for each letter.
  const asked = useDebounced(JSON.stringify(rules))
  const body = {
    change: { type: 'firewall_rules', rules: JSON.parse(asked || '[]') as NewRule[] },
    traffic: true,
  } as const
  const { data, error, refetch, isFetching } = useQuery({
    ...query(vpcPreview, { params: { vpc: vpc.vpc }, query: { project: vpc.project }, body }),
    enabled: asked !== '',
    placeholderData: keepPreviousData,
    throwOnError: false,
    // The instances may have changed since.
    staleTime: 0,
  })
  if (error) return <PreviewProblem error={error} retry={() => void refetch()} />
  if (!data) return <PreviewSkeleton />
  return (
    <div aria-busy={isFetching} className="flex flex-col gap-4">
      {data.traffic ? <TrafficGroups traffic={data.traffic} /> : <LossesOf losses={data} />}
      <RuleNote preview={data} name={name} />
    </div>
  )
}

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

/** The rule of a form that is not complete: as much of it as its effect depends on. */
import { copyName } from '#/lib/input/names.ts'
import { validateName } from '#/lib/input/validate.ts'
import { isSame } from '#/api/rewrite.ts'
import type { Rule } from '../queries.ts'
import type { NewRule } from '../rules/changes.ts'
import { portsWithoutProtocol, priorityProblem, ruleOf, valuesOf, type RuleValues } from '../rules/values.ts'

/** The parts that the effect depends on and that are still missing. */
export const missingIn = (values: RuleValues): string[] =>
  [
    values.appliesTo === 'targets' && values.targets.length === 0 ? 'Choose its targets.' : undefined,
    Number.isNaN(values.priority) || priorityProblem(values.priority) ? 'Enter a valid priority.' : undefined,
    portsWithoutProtocol(values) && 'Add TCP or UDP, or remove the ports.',
  ].filter((text) => text !== undefined)

/** Whether a form leaves all of a rule as it is, apart from its name and description. */
export function isAsStored(values: RuleValues, seen: Rule): boolean {
  const effectOf = (of: RuleValues) => {
    const { status, action, direction, priority, targets, filters } = ruleOf(of)
    return [status, action, direction, priority, targets, filters]
  }
  return isSame(effectOf(values), effectOf(valuesOf(seen)))
}

/** The rule, with another name while its own is missing, wrong or that of another rule. */
export function previewed(values: RuleValues, taken: readonly string[]): NewRule {
  const rule = ruleOf(values)
  const isUsable = validateName()(values.name) === undefined && !taken.includes(values.name)
  let name = isUsable ? values.name : 'this-rule'
  while (taken.includes(name)) name = copyName(name)
  return { ...rule, name, description: '' }
}

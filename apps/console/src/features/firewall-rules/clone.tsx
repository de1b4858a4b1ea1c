import { createFileRoute } from '@tanstack/react-router'
import { fresh } from '#/resource/address/routeOptions.tsx'
import { copyName } from '#/lib/input/names.ts'
import { RuleForm } from './RuleForm.tsx'
import { loadRule, ruleRoute, useRuleAsOpened } from './ruleRoute.tsx'
import { valuesOf } from './rules/values.ts'

export const Route = createFileRoute(
  '/_auth/projects/$project/_in/_vpc-pages/vpcs/$vpc/_page/_firewall-rules/firewall-rules-new/$rule',
)({
  ...ruleRoute('New rule'),
  ...fresh,
  loader: loadRule,
  component: CloneRule,
})

function CloneRule() {
  const params = Route.useParams()
  const { project, vpc } = params
  const rule = useRuleAsOpened(params)
  // The user has to choose a different name.
  return <RuleForm vpc={{ project, vpc }} values={{ ...valuesOf(rule), name: copyName(rule.name) }} />
}

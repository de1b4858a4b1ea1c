import { createFileRoute } from '@tanstack/react-router'
import { fresh } from '#/resource/address/routeOptions.tsx'
import { RuleForm } from './RuleForm.tsx'
import { loadRule, ruleRoute, useRuleAsOpened } from './ruleRoute.tsx'
import { valuesOf } from './rules/values.ts'

export const Route = createFileRoute(
  '/_auth/projects/$project/_in/_vpc-pages/vpcs/$vpc/_page/_firewall-rules/firewall-rules/$rule/edit',
)({
  ...ruleRoute('Edit rule'),
  ...fresh,
  loader: loadRule,
  component: EditRule,
})

function EditRule() {
  const params = Route.useParams()
  const { project, vpc } = params
  const rule = useRuleAsOpened(params)
  return <RuleForm vpc={{ project, vpc }} values={valuesOf(rule)} seen={rule} />
}

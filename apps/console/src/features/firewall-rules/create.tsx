import { createFileRoute } from '@tanstack/react-router'
import { formRoute } from '#/resource/address/routeOptions.tsx'
import { RuleForm } from './RuleForm.tsx'
import { emptyValues } from './rules/values.ts'

export const Route = createFileRoute(
  '/_auth/projects/$project/_in/_vpc-pages/vpcs/$vpc/_page/_firewall-rules/firewall-rules-new',
)({
  ...formRoute('New rule'),
  component: CreateRule,
})

function CreateRule() {
  return <RuleForm vpc={Route.useParams()} values={emptyValues} />
}

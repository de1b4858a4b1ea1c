import { pageOf } from '#/resource/address/pageOf.ts'
import { createFileRoute, useNavigate } from '@tanstack/react-router'
import { CreateForm } from '#/resource/form/CreateForm.tsx'
import { kinds } from '#/resource/kinds.ts'
import { formRoute } from '#/resource/address/routeOptions.tsx'
import { RadioGroupControl } from '#/ui/form/RadioGroupControl.tsx'
import { policyHint } from './PolicyBadge.tsx'
import type { AntiAffinityGroup } from './queries.ts'

export const Route = createFileRoute('/_auth/projects/$project/_in/_affinity-groups/_affinity/affinity-new')({
  ...formRoute('New anti-affinity group'),
  component: CreateGroup,
})

const emptyGroup: Pick<AntiAffinityGroup, 'name' | 'description' | 'policy'> = {
  name: '',
  description: '',
  policy: 'allow',
}
const policies = [
  {
    value: 'allow',
    label: 'Allow',
    description: 'The instance starts on a sled that already runs a member.',
  },
  {
    value: 'fail',
    label: 'Fail',
    description: 'The instance does not start until a sled without a member has enough capacity.',
  },
]

function CreateGroup() {
  const params = Route.useParams()
  const navigate = useNavigate()
  return (
    <CreateForm
      kind={kinds.antiAffinityGroup}
      title="Add anti-affinity group"
      submitLabel="Add group"
      values={emptyGroup}
      toBody={(values) => ({ ...values, failureDomain: 'sled' as const })}
      onCreated={({ name }) =>
        navigate({ href: pageOf('antiAffinityGroup', { ...params, name }), ignoreBlocker: true })
      }
    >
      {({ control }) => (
        <RadioGroupControl
          name="policy"
          control={control}
          required
          hint={`${policyHint}: when all available sleds already contain a member. It cannot be changed later.`}
          options={policies}
        />
      )}
    </CreateForm>
  )
}

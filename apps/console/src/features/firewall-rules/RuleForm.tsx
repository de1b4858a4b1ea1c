import { useNavigate } from '@tanstack/react-router'
import { useForm, useWatch, type UseFormReturn } from 'react-hook-form'
import { guides, paths, type VpcTarget } from '#/lib/addresses.ts'
import { ResourceForm } from '#/resource/form/ResourceForm.tsx'
import { showDoneToast } from '#/resource/actions/toasts.tsx'
import { useRole } from '#/resource/role/useRole.ts'
import { ExternalLink } from '#/ui/button/link.tsx'
import { CheckboxControl } from '#/ui/form/CheckboxControl.tsx'
import { DescriptionControl } from '#/ui/form/DescriptionControl.tsx'
import { NameControl } from '#/ui/form/NameControl.tsx'
import { NumberControl } from '#/ui/form/NumberControl.tsx'
import { RadioGroupControl } from '#/ui/form/RadioGroupControl.tsx'
import { Notice } from '#/ui/feedback/Notice.tsx'
import { identityProperties, PropertiesTable } from '#/ui/value/PropertiesTable.tsx'
import { adding, replacing, type NewRule } from './rules/changes.ts'
import { EndFields } from './EndFields.tsx'
import { PortFields } from './PortFields.tsx'
import { ProtocolFields } from './ProtocolFields.tsx'
import { RulePreview } from './preview/RulePreview.tsx'
import { useRules, type Rule } from './queries.ts'
import { changeRequest, reloadRules, runChange, storeChange, storeOrAsk } from './store.tsx'
import { isWideOpen, priorityProblem, ruleOf, type RuleValues } from './rules/values.ts'
import { actionWords, directionWords } from './rules/words.ts'

const optionsOf = (words: Record<string, string>) =>
  Object.entries(words).map(([value, label]) => ({ value, label }))

const texts = { done: 'updated', undone: 'is as it was before' }

export interface RuleFormProps {
  vpc: VpcTarget
  values: RuleValues
  /** The rule that is edited; a new one is made without it. */
  seen?: Rule
}

/** The form of a firewall rule. */
export function RuleForm({ vpc, values, seen }: RuleFormProps) {
  const navigate = useNavigate()
  const { lacks } = useRole(vpc.project)
  const form = useForm<RuleValues>({ defaultValues: values })
  const close = () => navigate({ href: paths.vpcTab(vpc, 'firewall-rules'), ignoreBlocker: true })
  const title = seen ? 'Edit firewall rule' : 'Create firewall rule'
  const changeOf = (rule: NewRule) => (seen ? replacing(seen, rule) : adding(rule))
  const submit = async (filled: RuleValues) => {
    const rule = ruleOf(filled)
    const change = changeOf(rule)
    // First, because the form of a rule that was renamed is at an address that is no longer there.
    if (seen) return runChange(vpc, { ...texts, name: rule.name, former: seen.name, change }, close)
    await storeOrAsk(vpc, change, async () => {
      await storeChange(vpc, change)
      showDoneToast('Firewall rule', rule.name, 'created')
      await close()
      await reloadRules()
    })
  }
  return (
    <ResourceForm
      title={title}
      submitLabel={seen ? 'Update firewall rule' : title}
      form={form}
      draft={seen ? { form: 'firewallRule', isChange: true } : 'firewallRule'}
      onSubmit={submit}
      request={(filled) => changeRequest(vpc, changeOf(ruleOf(filled)))}
      onDismiss={() => void close()}
      submitDisabledReason={lacks('collaborator')}
      aside={{
        title: 'Effect on instances',
        body: <RulePreview form={form} vpc={vpc} seen={seen} changeOf={changeOf} />,
      }}
    >
      <Notice>
        All rules of a VPC are evaluated together, by priority.{' '}
        <ExternalLink href={guides.networking.href}>How networks work</ExternalLink> ·{' '}
        <ExternalLink href={guides.evaluation.href}>How rules are evaluated</ExternalLink>
      </Notice>
      {seen && <PropertiesTable columns={1} properties={identityProperties(seen)} />}
      <Basics form={form} vpc={vpc} seen={seen} />
      <hr className="border-line-faint" />
      <Targets form={form} vpc={vpc} />
      <hr className="border-line-faint" />
      <h3 className="font-[550]">Filters</h3>
      <p className="text-secondary">
        Filters narrow the rule. Of each kind, one entry must match; of different kinds, all must.
      </p>
      <PortFields form={form} />
      <ProtocolFields form={form} />
      <p className="text-secondary">
        Hosts are the other end of the traffic: its source if it is inbound, its destination if it is
        outbound.
      </p>
      <EndFields form={form} list="hosts" vpc={vpc} />
      <OpenNotice form={form} />
    </ResourceForm>
  )
}

interface BasicsProps {
  form: UseFormReturn<RuleValues>
  vpc: VpcTarget
  seen: Rule | undefined
}

function Basics({ form: { control }, vpc, seen }: BasicsProps) {
  const { rules } = useRules(vpc)
  const isTaken = (text: string) => text !== seen?.name && rules?.some(({ name }) => name === text)
  return (
    <>
      <NameControl
        name="name"
        control={control}
        validate={(text) =>
          isTaken(text) ? 'Name taken. To update an existing rule, edit it directly.' : undefined
        }
      />
      <DescriptionControl name="description" control={control} />
      <CheckboxControl name="status" control={control} label="Enabled" />
      <RadioGroupControl
        name="action"
        control={control}
        required
        options={optionsOf(actionWords)}
        direction="row"
      />
      <RadioGroupControl
        name="direction"
        control={control}
        label="Direction of traffic"
        required
        hint="Inbound traffic is to the targets, outbound traffic from them."
        options={optionsOf(directionWords)}
        direction="row"
      />
      <NumberControl
        name="priority"
        control={control}
        required
        hint="From 0 to 65535. Rules with lower numbers are evaluated first."
        validate={priorityProblem}
      />
    </>
  )
}

function Targets({ form, vpc }: { form: UseFormReturn<RuleValues>; vpc: VpcTarget }) {
  const { control } = form
  const appliesTo = useWatch({ control, name: 'appliesTo' })
  return (
    <>
      <RadioGroupControl
        name="appliesTo"
        control={control}
        label="Applies to"
        required
        options={[
          { value: 'targets', label: 'Selected targets', description: 'An instance that any of them names' },
          { value: 'all', label: 'All instances', description: 'Every interface in this VPC' },
        ]}
        validate={(value, { targets }) =>
          value === 'targets' && targets.length === 0 ? 'Add a target, or choose all instances' : undefined
        }
      />
      {appliesTo === 'targets' && <EndFields form={form} list="targets" vpc={vpc} />}
    </>
  )
}

function OpenNotice({ form: { control } }: { form: UseFormReturn<RuleValues> }) {
  const values = useWatch({ control })
  return (
    isWideOpen(values as RuleValues) && (
      <Notice tone="danger" title="This rule has no filters">
        It lets all inbound traffic from anywhere reach its targets. Add a port, protocol or host filter to
        narrow it.
      </Notice>
    )
  )
}

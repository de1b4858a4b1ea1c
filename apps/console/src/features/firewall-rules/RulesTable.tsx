import { useQuery } from '@tanstack/react-query'
import Plus from 'lucide-react/icons/plus'
import ShieldCheck from 'lucide-react/icons/shield-check'
import { failure } from '#/api/errors.ts'
import { paths, type VpcTarget } from '#/lib/addresses.ts'
import { useActions } from '#/resource/actions.tsx'
import { GuardedLink } from '#/resource/GuardedLink.tsx'
import { useQuickActions } from '#/resource/quickActions.ts'
import { useRole } from '#/resource/useRole.ts'
import { Button } from '#/ui/Button.tsx'
import { EmptyState } from '#/ui/EmptyState.tsx'
import { FormErrorBanner } from '#/ui/FormErrorBanner.tsx'
import { RowMenu } from '#/ui/RowMenu.tsx'
import { Table } from '#/ui/table/Table.tsx'
import { ruleActions } from './actions.tsx'
import { ruleColumns } from './columns.tsx'
import { effectsQuery, useRules } from './queries.ts'

/** The firewall rules of a VPC in the order of evaluation. */
export function RulesTable({ target, marked }: { target: VpcTarget; marked?: string | undefined }) {
  const { rules: known, hasAll, error, retry } = useRules(target)
  // Only says more about the rows; they stand without it.
  const effects = useQuery({ ...effectsQuery(target), throwOnError: false }).data?.rules ?? []
  const effectsByName = new Map(effects.map((effect) => [effect.name, effect]))
  const rules = known ?? []
  const { menu } = useActions(ruleActions(target, rules), target)
  const create = useCreateButton(target)
  useGoToRules(
    target,
    rules.map(({ name }) => name),
  )
  if (error && !known)
    return (
      <div className="flex flex-col items-start gap-3">
        <FormErrorBanner issues={[failure(error)]} />
        <Button onClick={retry}>Try again</Button>
      </div>
    )
  if (known?.length === 0)
    return (
      <EmptyState
        icon={<ShieldCheck />}
        title="No firewall rules"
        body="Create a rule to see it here"
        action={create}
      />
    )
  return (
    <>
      <div className="mb-3 flex flex-wrap items-center justify-between gap-3">
        <p className="text-hint text-secondary">
          In the order of evaluation: of each direction, the first enabled rule that fits decides.
        </p>
        {create}
      </div>
      <Table
        label="Firewall rules"
        columns={ruleColumns(target, effectsByName)}
        rows={rules}
        rowKey={({ name }) => name}
        marked={marked}
        skeletonRows={known ? 0 : 3}
        busy={known !== undefined && !hasAll}
        actions={(rule) => <RowMenu items={menu(rule)} />}
      />
    </>
  )
}

function useCreateButton(target: VpcTarget) {
  const disabledReason = useRole(target.project).lacks('collaborator')
  const href = paths.firewallRuleNew(target)
  useQuickActions(disabledReason ? [] : [{ label: 'New firewall rule', group: 'Actions', href }])
  return (
    <GuardedLink href={href} disabledReason={disabledReason}>
      <Plus size={14} aria-hidden />
      New rule
    </GuardedLink>
  )
}

const useGoToRules = (target: VpcTarget, names: readonly string[]) =>
  useQuickActions(
    names.map((name) => ({
      label: name,
      group: 'Go to firewall rule',
      href: paths.firewallRuleEdit(target, name),
    })),
  )

import { useQuery } from '@tanstack/react-query'
import ShieldCheck from 'lucide-react/icons/shield-check'
import { useState } from 'react'
import { failure } from '#/api/errors.ts'
import { paths, type VpcTarget } from '#/lib/addresses.ts'
import { useActions } from '#/resource/actions/actions.tsx'
import { ListSearch } from '#/resource/list/ListSearch.tsx'
import { countFound, NoneFound } from '#/resource/list/NoneFound.tsx'
import { usePaging } from '#/resource/list/paging.ts'
import { NewButton } from '#/ui/button/NewButton.tsx'
import { useQuickActions } from '#/resource/actions/quickActions.ts'
import { useRole } from '#/resource/role/useRole.ts'
import { Button } from '#/ui/button/Button.tsx'
import { EmptyState } from '#/ui/feedback/EmptyState.tsx'
import { FormErrorBanner } from '#/ui/form/FormErrorBanner.tsx'
import { lazily } from '#/lib/lazily.tsx'
import { RowMenu } from '#/ui/overlay/RowMenu.tsx'
import { Table } from '#/ui/table/Table.tsx'
import { ruleActions } from './actions.tsx'
import { ruleColumns } from './columns.tsx'
import { isRuleFound } from './rules/found.ts'
import { effectsQuery, useRules, type Rule } from './queries.ts'

const CopyRulesDialog = lazily(() => import('./rules/CopyRulesDialog.tsx'), 'CopyRulesDialog')

interface Shown {
  target: VpcTarget
  find: string | undefined
  marked: string | undefined
}

/** The firewall rules of a VPC in the order of evaluation. */
export function RulesTable({ target, find, marked }: Shown) {
  const { rules: known, hasAll, error, retry } = useRules(target)
  // Only says more about the rows; they stand without it.
  const effects = useQuery({ ...effectsQuery(target), throwOnError: false }).data?.rules ?? []
  const effectsByName = new Map(effects.map((effect) => [effect.name, effect]))
  const rules = known ?? []
  const { menu } = useActions(ruleActions(target, rules), target)
  const create = useCreateButton(target)
  const { setQuery } = usePaging()
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
        body="Without rules, nothing reaches the instances of the VPC, and they reach everything."
        action={create}
      />
    )
  const isSearchable = find !== undefined || rules.length > 0
  const found = find === undefined ? rules : rules.filter((rule) => isRuleFound(rule, find))
  const hint =
    find === undefined || !hasAll
      ? 'In the order of evaluation: of each direction, the first enabled rule that fits decides.'
      : countFound({ matches: found.length, of: rules.length }, found.length)
  return (
    <>
      <div className="mb-3 flex flex-wrap items-center justify-between gap-3">
        {isSearchable && <ListSearch label="firewall rules" />}
        <p role="status" className="grow text-hint text-secondary">
          {hint}
        </p>
        <CloneRules target={target} rules={rules} hasAll={hasAll} />
        {create}
      </div>
      {find !== undefined && hasAll && found.length === 0 ? (
        <NoneFound find={find} onClear={() => setQuery({ find: '' })} />
      ) : (
        <Table
          label="Firewall rules"
          columns={ruleColumns(target, effectsByName)}
          rows={found}
          rowKey={({ name }) => name}
          marked={marked}
          skeletonRows={known ? 0 : 3}
          busy={known !== undefined && !hasAll}
          actions={(rule) => <RowMenu items={menu(rule)} />}
        />
      )}
    </>
  )
}

/** Copies all rules to another VPC. */
function CloneRules({
  target,
  rules,
  hasAll,
}: {
  target: VpcTarget
  rules: readonly Rule[]
  hasAll: boolean
}) {
  const [isOpen, setOpen] = useState(false)
  const open = () => setOpen(true)
  useQuickActions(hasAll ? [{ label: 'Clone firewall rules', group: 'Actions', onAction: open }] : [])
  return (
    <>
      <Button disabledReason={hasAll ? undefined : 'The rules are still being read'} onClick={open}>
        Clone rules
      </Button>
      {isOpen && <CopyRulesDialog source={target} rules={rules} onDismiss={() => setOpen(false)} />}
    </>
  )
}

function useCreateButton(target: VpcTarget) {
  const disabledReason = useRole(target.project).lacks('collaborator')
  const href = paths.firewallRuleNew(target)
  useQuickActions(disabledReason ? [] : [{ label: 'New firewall rule', group: 'Actions', href }])
  return (
    <NewButton href={href} disabledReason={disabledReason}>
      New rule
    </NewButton>
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

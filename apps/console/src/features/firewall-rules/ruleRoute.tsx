/** The common part of the routes of one rule. */
import { notFound } from '@tanstack/react-router'
import { useState } from 'react'
import { loadToEdit } from '#/api/query.ts'
import { paths, type Scope, type VpcTarget } from '#/lib/addresses.ts'
import { lazily } from '#/lib/lazily.tsx'
import { formRoute } from '#/resource/address/routeOptions.tsx'
import { useLoaded } from '#/resource/form/useLoaded.ts'
import { rulesQuery, type Rule } from './queries.ts'

const PanelError = lazily(() => import('#/resource/form/PanelError.tsx'), 'PanelError')

type Target = VpcTarget & { rule: string }

const find = (rules: readonly Rule[], { rule }: Target): Rule => {
  const found = rules.find(({ id, name }) => name === rule || id === rule)
  if (found) return found
  // oxlint-disable-next-line typescript/only-throw-error -- the router takes this as the answer that nothing is there
  throw notFound()
}

/** For loaders: reads the rule that an address names. */
export async function loadRule({
  params,
  cause,
}: {
  params: Target
  cause: Parameters<typeof loadToEdit>[0]
}): Promise<Rule> {
  const { project, vpc } = params
  return find((await loadToEdit(cause, rulesQuery({ project, vpc }))).rules, params)
}

/** The rule that an address names, as it was when its form was opened. */
export function useRuleAsOpened(target: Target): Rule {
  const { rules } = useLoaded(rulesQuery({ project: target.project, vpc: target.vpc }))
  return useState(() => find(rules, target))[0]
}

const listOf = ({ project = '', vpc = '' }: Scope) => paths.vpcTab({ project, vpc }, 'firewall-rules')

/** The form of a rule over the list. */
export const ruleRoute = (label: string) => ({
  ...formRoute(label),
  // Another rule is another form.
  remountDeps: ({ params }: { params: Target }) => params,
  errorComponent: ({ error }: { error: unknown }) => <PanelError error={error} closeTo={listOf} />,
})

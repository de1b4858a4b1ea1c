/** The saved views of lists as places that the palette leads to. */
import { currentUserListViewsOfAllKinds, type ListedType } from '@purlin/contract/operations/lists/list-views'
import { currentUserView } from '@purlin/contract/operations/access/sessions'
import { kindOfType, kinds as contractKinds } from '@purlin/contract/rules/kinds'
import { useQuery } from '@tanstack/react-query'
import { useRouterState } from '@tanstack/react-router'
import { query } from '#/api/query.ts'
import { paths, sections, type Scope } from '#/lib/addresses.ts'
import { usePath } from '#/ui/layout/path.ts'
import { hideColumns } from '../chosenColumns.ts'
import { scopeOf } from '#/resource/kind.ts'
import { kinds } from '#/resource/kinds.ts'
import { useQuickActions } from '#/resource/actions/quickActions.ts'

interface List {
  title: string
  href: string
}

/** From where a view is looked for. */
export interface From {
  path: string
  params: Scope
  isOperator: boolean
}

const ofSilo: Partial<Record<ListedType, List>> = {
  instance: { title: kinds.instance.title, href: sections.siloInstance.list() },
  image: { title: kinds.image.title, href: sections.siloImage.list() },
  'silo-user': { title: 'Users', href: paths.users },
  'silo-group': { title: 'Groups', href: paths.groups },
  task: { title: 'Tasks', href: paths.tasks() },
}

/** The list of a type that is nearest: in the project or VPC that is shown, or else that of the silo, if there is one. */
export function listOf(type: ListedType, { path, params, isOperator }: From): List | undefined {
  if (type === 'audit-log-entry') {
    const href = isOperator && path.startsWith('/system') ? paths.auditLog : paths.siloAuditLog
    return { title: 'Audit Log', href }
  }
  const kind = Object.values(kinds).find(({ name }) => name === kindOfType(type))
  if (!kind) return ofSilo[type]
  const scope = scopeOf(kind, params)
  if (Object.values(scope).includes('')) return ofSilo[type]
  if (contractKinds[kind.name].parent === null && !isOperator) return undefined
  return { title: kind.title, href: kind.section.list(scope) }
}

/** Offers them while the palette is open. */
export function ViewPlaces() {
  const path = usePath()
  const params: Scope = useRouterState({ select: (state) => state.matches.at(-1)?.params ?? {} })
  const isOperator = useQuery(query(currentUserView, { query: {} })).data?.fleetViewer === true
  const { data } = useQuery({ ...query(currentUserListViewsOfAllKinds, {}), throwOnError: false })
  useQuickActions(
    (data?.kinds ?? []).flatMap(({ kind, views }) => {
      const list = listOf(kind, { path, params, isOperator })
      if (!list) return []
      return views.map(({ name, search, hiddenColumns }) => ({
        label: `View: ${name} of ${list.title}`,
        group: 'Views',
        href: search === '' ? list.href : `${list.href}?${search}`,
        onAction: () => hideColumns(kind, hiddenColumns),
      }))
    }),
    'layout',
  )
  return null
}

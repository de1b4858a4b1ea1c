/** Offers the actions on the resources that the search has found for what is typed. */
import { hasNames } from '@purlin/contract/rules/kinds'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState, type ReactNode } from 'react'
import { useMenus, type OpenedDialog } from '#/resource/actions/actions.tsx'
import { useQuickActions, type QuickAction } from '#/resource/actions/quickActions.ts'
import { actDialogStore, type FoundActsProps, type TypedAct } from '#/resource/acts/acts.ts'
import { isVerb, nounsOf, readAct as read } from '#/resource/acts/typed.ts'
import { actKeys, actText } from '#/resource/acts/words.ts'
import { useFound, type FoundItem } from '#/resource/address/search.ts'
import { viewQuery } from '#/resource/kind.ts'
import { usePath } from '#/ui/layout/path.ts'
import { actedKinds, actedNames, actLabels, taken, type Acted } from './acted.ts'

const known = { labels: actLabels, nouns: nounsOf(actedNames) }
export const readAct = (text: string): TypedAct | undefined => read(text, known)

/** Resources that are read for their state. */
const mostRead = 5
/** Second resources that are offered. */
const mostGiven = 3

export function FoundActs({ act, found }: FoundActsProps) {
  const given = useFound({ text: '', ...taken, ...act.given })
  const rows = found.flatMap((one) => {
    const of = actedKinds[one.kind as keyof typeof actedKinds]
    return of ? [{ one, of }] : []
  })
  return rows
    .slice(0, mostRead)
    .map(({ one, of }) => (
      <ActsOn
        key={one.id}
        one={one}
        of={of}
        verb={act.verb}
        given={
          act.given &&
          given.items.filter(({ scope }) => scope.project === one.scope.project).slice(0, mostGiven)
        }
      />
    ))
}

interface ActsOnProps {
  one: FoundItem
  of: Acted
  verb: TypedAct['verb']
  /** The results for the second resource, if one is typed. */
  given: readonly FoundItem[] | undefined
}

function ActsOn({ one, of: { kind, useActions, roles }, verb, given = [] }: ActsOnProps) {
  const view = useQuery({
    ...viewQuery(kind, hasNames(kind.name) ? one.name : one.id, one.scope),
    throwOnError: false,
  })
  // Actions depend on the state: a row of before is not enough. One that was fresh at first is kept up by events, and is not
  // read again when its time is over.
  const [wasFresh] = useState(!view.isStale)
  const row = wasFresh || view.isFetchedAfterMount ? view.data : undefined
  const { menu } = useMenus(useActions(one.scope), roles(one), openDialog)
  const isTyped = ({ label }: { label: string }) => isVerb(verb, label)
  const entries = (other?: FoundItem): QuickAction[] =>
    (row ? menu(row, other && { kind: other.kind, row: other }) : []).filter(isTyped).map((item) => ({
      ...item,
      ...actKeys(item.label, other ? `${one.id} ${other.id}` : one.id, one.name),
      label: actText(item.label, one.name, other?.name),
      group: 'Actions',
      detail: one.detail,
    }))
  const withGiven = given.flatMap((other) => entries(other))
  useQuickActions(withGiven.length > 0 ? withGiven : entries(), 'found')
  return null
}

function openDialog<R>({ action, row, given }: OpenedDialog<R>): void {
  const close = () => actDialogStore.set(null)
  actDialogStore.set(<UntilLeft onLeft={close}>{action.dialog?.(row, close, given)}</UntilLeft>)
}

/** A dialog that belongs to no page closes when the page is left. */
function UntilLeft({ onLeft, children }: { onLeft: () => void; children: ReactNode }) {
  const path = usePath()
  const [openedAt] = useState(path)
  const isLeft = path !== openedAt
  useEffect(() => {
    if (isLeft) onLeft()
  }, [isLeft, onLeft])
  return isLeft ? null : children
}

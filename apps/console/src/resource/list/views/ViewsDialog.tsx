import type { Result } from '@purlin/contract/op'
import {
  currentUserListViewsOfAllKinds,
  currentUserListViewsUpdate,
  currentUserListViewsView,
  type ListedType,
} from '@purlin/contract/operations/lists/list-views'
import { nounOf, pluralOf } from '@purlin/contract/rules/kinds'
import { limits } from '@purlin/contract/rules/limits'
import { useQuery } from '@tanstack/react-query'
import Trash2 from 'lucide-react/icons/trash-2'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { failure } from '#/api/errors.ts'
import { invalidate, query } from '#/api/query.ts'
import { requestTo } from '#/api/request.ts'
import { rewrite } from '#/api/rewrite.ts'
import { Badge } from '#/ui/value/Badge.tsx'
import { Button } from '#/ui/button/Button.tsx'
import { TextControl } from '#/ui/form/TextControl.tsx'
import { FormErrorBanner } from '#/ui/form/FormErrorBanner.tsx'
import { IconButton } from '#/ui/button/IconButton.tsx'
import { Spinner } from '#/ui/feedback/Spinner.tsx'
import { hiddenColumnsOf, hideColumns } from '../chosenColumns.ts'
import type { AddressedView } from '../ListOptions.tsx'
import { ModalForm } from '#/resource/form/ModalForm.tsx'

type Views = Result<typeof currentUserListViewsView>['views']
type View = Views[number]

export interface ViewsDialogProps {
  type: ListedType
  /** How the list is looked at now. */
  view: AddressedView
  onDismiss: () => void
}

const isSameText = (one: readonly string[], other: readonly string[]) =>
  one.toSorted().join(' ') === other.toSorted().join(' ')

/** 'Views': what a person has saved of how lists of a type are searched, filtered, ordered and shown. */
export function ViewsDialog({ type, view: now, onDismiss }: ViewsDialogProps) {
  const args = { query: { kind: type } }
  const { data, error } = useQuery({ ...query(currentUserListViewsView, args), throwOnError: false })
  const form = useForm({ mode: 'onChange', defaultValues: { name: '' } })
  const [problem, setProblem] = useState<unknown>()
  const views = data?.views ?? []
  const change = async (work: (now: Views) => Views) => {
    const target = { view: currentUserListViewsView, update: currentUserListViewsUpdate, args }
    await rewrite(target, (stored) => ({ views: work(stored.views) }))
    await invalidate(currentUserListViewsView, currentUserListViewsOfAllKinds)
  }
  const present = { search: now.text, hiddenColumns: [...hiddenColumnsOf(type)] }
  const show = (view: View) => {
    hideColumns(type, view.hiddenColumns)
    now.show(view.search)
    onDismiss()
  }
  const adding = (name: string) => (stored: Views) => [...stored, { name: name.trim(), ...present }]
  const save = async ({ name }: { name: string }) => {
    await change(adding(name))
    form.reset()
  }
  const remove = (view: View) => {
    setProblem(undefined)
    change((now) => now.filter(({ name }) => name !== view.name)).catch(setProblem)
  }
  const isTaken = (name: string) => views.some((one) => one.name === name.trim())
  const failed = problem ?? error
  return (
    <ModalForm
      title={`Views of ${pluralOf(nounOf(type))}`}
      submitLabel="Save view"
      form={form}
      onSubmit={save}
      request={({ name }) =>
        requestTo(currentUserListViewsUpdate, { ...args, body: { views: adding(name)(views) } })
      }
      onDismiss={onDismiss}
      submitDisabledReason={
        views.length >= limits.listViews.count
          ? `There can be ${limits.listViews.count} views of a kind`
          : undefined
      }
    >
      {failed ? <FormErrorBanner issues={[failure(failed)]} /> : null}
      {!data && !error && <Spinner />}
      {views.length > 0 && (
        <ul aria-label="Saved views" className="rounded-md border border-line">
          {views.map((view) => (
            <li
              key={view.name}
              className="flex items-center gap-2 border-line-faint py-1 pr-1 pl-2.5 not-first:border-t"
            >
              <Button variant="ghost" size="small" onClick={() => show(view)} className="min-w-0">
                <span className="truncate">{view.name}</span>
              </Button>
              {view.search === present.search && isSameText(view.hiddenColumns, present.hiddenColumns) && (
                <Badge>shown</Badge>
              )}
              <span className="grow" />
              <IconButton label={`Delete view ${view.name}`} size="small" onClick={() => remove(view)}>
                <Trash2 size={14} />
              </IconButton>
            </li>
          ))}
        </ul>
      )}
      <TextControl
        name="name"
        control={form.control}
        label="Save the present view as"
        required
        maxLength={limits.listViews.name}
        validate={(name) => (isTaken(name) ? 'There is a view of this name' : undefined)}
        hint="A view stores the search, the filters, the order and the columns. You can use it in any project and on any device."
      />
    </ModalForm>
  )
}

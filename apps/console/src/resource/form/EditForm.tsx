import type { Schema } from '@purlin/contract/schema'
import type { Args, OpShape, Result } from '@purlin/contract/op'
import { useNavigate, useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useForm, type DefaultValues, type UseFormReturn } from 'react-hook-form'
import { kinds as contractKinds } from '@purlin/contract/rules/kinds'
import { holdingReads } from '#/live/heldReads.ts'
import { capitalize } from '#/lib/text.ts'
import { addToast } from '#/ui/feedback/toast.ts'
import {
  identityProperties,
  PropertiesTable,
  type IdentityOfRow,
  type Property,
} from '#/ui/value/PropertiesTable.tsx'
import { useGuardedUpdate } from './guardedUpdate.tsx'
import {
  argsOf,
  referenceOf,
  reload,
  rememberRow,
  roleFor,
  roleScope,
  scopeOf,
  viewQuery,
  type Kind,
  type KindWithOps,
  type RowOp,
} from '../kind.ts'
import { IdentityControls, type FormValues, type Identity, type IdentityOf } from './IdentityControls.tsx'
import { ResourceForm, type ResourceFormProps } from './ResourceForm.tsx'
import { nameIn } from '../address/routeOptions.tsx'
import { doneText, doneToast } from '../actions/toasts.tsx'
import { undoable } from '../actions/undo.tsx'
import { withTags } from './tags.ts'
import { useFollowName } from './useFollowName.ts'
import { useLoaded } from './useLoaded.ts'
import { useRole } from '../role/useRole.ts'

/** The fields of a resource that is edited in a form. */
type Row = IdentityOfRow & Partial<Identity>
type ViewOp = OpShape & { readonly response: Schema<Row, unknown> }
type Body<O extends OpShape> = Args<O> extends { body: infer B } ? B : never

export interface EditFormProps<
  N extends Kind['name'],
  V extends ViewOp,
  U extends RowOp,
  F extends FormValues,
> {
  kind: KindWithOps<{ name: N; view: V; update: U }>
  /** The project whose role counts, if not the one of the address. */
  roleIn?: string
  /** The values of the form: name and description unless given. */
  values?: (row: Result<V>) => F & IdentityOf<N>
  /** The request of a filled form: the values themselves unless given. */
  toBody?: (values: F) => Body<U>
  /** Why nothing can be changed. */
  disabledReason?: string | undefined
  /** Why name and description cannot be changed. */
  identityDisabledReason?: string | undefined
  title?: string
  submitLabel?: string
  /** Whether icon and name are under the title; true unless given. */
  hasNameLine?: boolean
  /** The read-only properties, after id and times; null if another page shows all of them. */
  properties?: ((row: Result<V>) => readonly Property[]) | null
  /** Where the form leads when it is closed, by the name (or id) as it is then: to the list unless given. */
  closeTo?: (name: string) => string
  /** Shown above the fields. */
  note?: ReactNode
  /** The fields, after name and description if the kind has names. */
  children?: (form: UseFormReturn<F>) => ReactNode
  /** The effect of the form as it is filled. */
  aside?: (form: UseFormReturn<F>) => ResourceFormProps<F>['aside']
}

const identityOf = ({ name, description }: Row) => ({ name, description })

/** The side modal that changes the resource in the address, which the route has loaded. */
export function EditForm<
  N extends Kind['name'],
  V extends ViewOp,
  U extends RowOp,
  F extends FormValues = Identity,
>(props: EditFormProps<N, V, U, F>) {
  const {
    kind,
    properties = () => [],
    // Forms without other fields do not give it.
    values = identityOf as unknown as NonNullable<typeof props.values>,
  } = props
  const { noun, icon: Icon, update } = kind
  const params = useParams({ strict: false })
  const scope = scopeOf(kind, params)
  const name = nameIn(kind, params)
  const { closeTo = () => kind.section.list(scope) } = props
  const navigate = useNavigate()
  const followName = useFollowName()
  const { lacks } = useRole(...roleScope(kind, { project: props.roleIn ?? scope.project }))
  const requiredRole = roleFor(update)
  const row = useLoaded(viewQuery(kind, name, scope))
  const { id } = row
  const label = kind.labelOf(row)
  const form = useForm<F>({ defaultValues: values(row) as DefaultValues<F> })
  // By id: another user may have renamed it.
  const byId = argsOf(kind, kind.view, { nameOrId: id })
  const target = { view: kind.view, update, args: byId as never }
  const { save, request, notice, restoring } = useGuardedUpdate(target, { form, row, valuesOf: values })
  const names = {
    ...scope,
    ...(row.name === undefined ? {} : { [contractKinds[kind.name].field]: row.name }),
  }
  const opened = values(row) as F
  const bodyOf = (filled: F, before?: string) => {
    const body = props.toBody ? props.toBody(filled) : (filled as unknown as Body<U>)
    return 'tags' in filled ? (withTags(body as object, { text: filled['tags'], before }) as Body<U>) : body
  }
  const changeOf = (filled: F) => bodyOf(filled, opened['tags'] as string | undefined)
  const show = (changed: Result<U>) => {
    rememberRow(kind, changed, scope)
    void reload(kind)
    return changed
  }
  const store = async (filled: F) => {
    const changed = await save(changeOf(filled))
    const now = referenceOf(kind, show(changed))
    const putBack = restoring(changed, (former) => bodyOf(former))
    const restore = async () => {
      const again = referenceOf(kind, show(await putBack()))
      await followName(contractKinds[kind.name].field, { from: now, to: again })
    }
    // It has its former name again as well.
    const undone = doneText(capitalize(noun), label, 'is as it was before')
    const run = () => holdingReads(restore)
    addToast(undoable(doneToast(capitalize(noun), kind.labelOf(changed), 'updated'), { run, undone }))
    await navigate({ href: closeTo(now), ignoreBlocker: true })
  }
  // Its name is a part of addresses.
  const submit = (filled: F) => holdingReads(() => store(filled))
  return (
    <ResourceForm
      title={props.title ?? `Edit ${noun}`}
      submitLabel={props.submitLabel ?? `Update ${noun}`}
      resource={props.hasNameLine !== false ? { icon: Icon, name: label } : undefined}
      form={form}
      draft={{ form: kind.name, isChange: true }}
      aside={props.aside?.(form)}
      onSubmit={submit}
      request={(filled) => ({ ...request(changeOf(filled)), names })}
      onDismiss={() => void navigate({ href: closeTo(name), ignoreBlocker: true })}
      submitDisabledReason={(requiredRole && lacks(requiredRole)) ?? props.disabledReason}
    >
      {notice}
      {properties && (
        <PropertiesTable columns={1} properties={[...identityProperties(row), ...properties(row)]} />
      )}
      {props.note}
      <IdentityControls kind={kind} control={form.control} disabledReason={props.identityDisabledReason} />
      {props.children?.(form)}
    </ResourceForm>
  )
}

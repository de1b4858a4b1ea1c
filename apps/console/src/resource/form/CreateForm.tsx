import type { Args, OpShape, Result } from '@purlin/contract/op'
import { takesField } from '@purlin/contract/field-limits'
import type { Role } from '@purlin/contract/rules/roles'
import { useNavigate, useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useForm, type Control, type DefaultValues, type UseFormReturn } from 'react-hook-form'
import { requestTo, sendRequest, type ApiRequest } from '#/api/request.ts'
import { argsFor } from '#/api/send.ts'
import { capitalize } from '#/lib/text.ts'
import { addToast, type ToastInput } from '#/ui/feedback/toast.ts'
import {
  fleetRoleFor,
  reload,
  rememberRow,
  roleFor,
  roleScope,
  scopeOf,
  type Kind,
  type KindWithOps,
  type RowOp,
  type Scope,
} from '../kind.ts'
import { IdentityControls, type FormValues, type IdentityOf } from './IdentityControls.tsx'
import { ResourceForm, type ResourceFormProps } from './ResourceForm.tsx'
import { ProtectionControl } from './ProtectionControl.tsx'
import { TagsControl } from './TagsControl.tsx'
import { noneKept, withKept, type KeptValues } from './tags.ts'
import { doneToast } from '../actions/toasts.tsx'
import { useRole } from '../role/useRole.ts'

type Body<O extends OpShape> = Args<O> extends { body: infer B } ? B : never

interface Creation<C extends RowOp> {
  scope: Scope
  body: Body<C>
}

/** The request that creates a resource. */
export const createRequest = <C extends RowOp>(
  { create }: KindWithOps<{ create: C }>,
  { scope, body }: Creation<C>,
): ApiRequest<C> => requestTo(create, argsFor(create, { ...(create.query ? { query: scope } : {}), body }))

/** Creates a resource, updates the cache and shows a toast. */
export async function createResource<C extends RowOp>(
  kind: KindWithOps<{ create: C }>,
  { cta, ...of }: Creation<C> & { cta?: ToastInput['cta'] },
): Promise<Result<C>> {
  const made = await sendRequest(createRequest(kind, of))
  rememberRow(kind, made, of.scope)
  void reload(kind)
  addToast({ ...doneToast(capitalize(kind.noun), kind.labelOf(made), 'created'), ...(cta ? { cta } : {}) })
  return made
}

export interface CreateFormProps<N extends Kind['name'], C extends RowOp, F extends FormValues> extends Pick<
  ResourceFormProps<F>,
  'animate' | 'resource'
> {
  kind: KindWithOps<{ name: N; create: C }>
  /** Where it is created: where the address says unless given. */
  scope?: Scope
  /** The empty form. */
  values: F & IdentityOf<N>
  /** The request of a filled form: the values themselves unless given. */
  toBody?: (values: F, form: UseFormReturn<F>) => Body<C> | Promise<Body<C>>
  title?: string
  submitLabel?: string
  /** The role that it takes: that of the operation unless given. */
  requiredRole?: Role
  disabledReason?: ReactNode
  /** Where the form leads when it is closed: to the list unless given. */
  closeTo?: string
  /** Runs after the resource was created, instead of closing the form. */
  onCreated?: (made: Result<C>) => unknown
  onDismiss?: () => void
  /** False for a form that begins with what was typed in another one. */
  keepsDraft?: false
  /** Runs before the error of a failed request is shown. */
  onError?: (error: unknown) => void
  cta?: ToastInput['cta']
  /** Shown above the fields. */
  note?: ReactNode
  /** The fields, after name and description if the kind has names. */
  children?: (form: UseFormReturn<F>) => ReactNode
  /** The effect of the form as it is filled. */
  aside?: (form: UseFormReturn<F>) => ResourceFormProps<F>['aside']
}

/** The side modal that creates a resource: a plain form gives its fields and nothing else. */
export function CreateForm<N extends Kind['name'], C extends RowOp, F extends FormValues>(
  props: CreateFormProps<N, C, F>,
) {
  const { kind, cta, animate = false } = props
  const params = useParams({ strict: false })
  const scope = props.scope ?? scopeOf(kind, params)
  const { closeTo = kind.section.list(scope), requiredRole = roleFor(kind.create) } = props
  const title = props.title ?? `Create ${kind.noun}`
  const navigate = useNavigate()
  const { lacks } = useRole(...roleScope(kind, scope))
  const fleet = useRole(undefined, 'fleet')
  const fleetRole = fleetRoleFor(kind.create)
  const isTagged = takesField(kind.create, 'tags')
  const isKept = takesField(kind.create, 'protected')
  const form = useForm<F>({
    defaultValues: { ...(isTagged ? noneKept : {}), ...props.values } as unknown as DefaultValues<F>,
  })
  const draft = props.scope ? { form: kind.name, place: Object.values(scope).join('/') } : kind.name
  const KeptControl = isKept ? ProtectionControl : TagsControl
  const close = () => navigate({ href: closeTo, ignoreBlocker: true })
  const bodyOf = async (values: F) => {
    const body = await (props.toBody ? props.toBody(values, form) : (values as unknown as Body<C>))
    return isTagged ? (withKept(body as object, values as Partial<KeptValues>) as Body<C>) : body
  }
  const submit = async (values: F) => {
    const body = await bodyOf(values)
    const made = await createResource(kind, { scope, body, cta }).catch((error: unknown) => {
      props.onError?.(error)
      throw error
    })
    await (props.onCreated ?? close)(made)
  }
  return (
    <ResourceForm
      title={title}
      submitLabel={props.submitLabel ?? title}
      resource={props.resource}
      form={form}
      draft={props.keepsDraft === false ? undefined : draft}
      animate={animate}
      aside={props.aside?.(form)}
      onSubmit={submit}
      request={async (values) => createRequest(kind, { scope, body: await bodyOf(values) })}
      onDismiss={props.onDismiss ?? (() => void close())}
      submitDisabledReason={
        (requiredRole && lacks(requiredRole)) ?? (fleetRole && fleet.lacks(fleetRole)) ?? props.disabledReason
      }
    >
      {props.note}
      <IdentityControls kind={kind} control={form.control} />
      {props.children?.(form)}
      {isTagged && <KeptControl control={form.control as unknown as Control<KeptValues>} />}
    </ResourceForm>
  )
}

import { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { FieldValues, UseFormReturn } from 'react-hook-form'
import { sendRequest, type ApiRequest } from '#/api/request.ts'
import { paths } from '#/lib/addresses.ts'
import { ResourceForm } from '#/resource/form/ResourceForm.tsx'
import { useSiloAdminReason } from '#/resource/role/useSiloAdminReason.ts'
import { addToast } from '#/ui/feedback/toast.ts'
import { Notice } from '#/ui/feedback/Notice.tsx'
import { providersChanged, type NamedOp } from './queries.ts'

/** The side modal that creates a provider of any protocol, and leads back to the list. */
export function CreateProvider<V extends FieldValues>({
  silo,
  title,
  needs,
  form,
  draft,
  request,
  children,
}: {
  silo: string
  title: string
  /** A sentence about the settings that both sides exchange. */
  needs: string
  form: UseFormReturn<V>
  draft: string
  request: (values: V) => ApiRequest<NamedOp> | Promise<ApiRequest<NamedOp>>
  children: ReactNode
}) {
  const navigate = useNavigate()
  const close = () => navigate({ href: paths.siloTab(silo, 'idps'), ignoreBlocker: true })
  const submit = async (values: V) => {
    const { name } = await sendRequest(await request(values))
    void providersChanged()
    addToast({ content: `IdP ${name} created` })
    await close()
  }
  return (
    <ResourceForm
      title={title}
      submitLabel="Create provider"
      form={form}
      draft={draft}
      onSubmit={submit}
      request={request}
      onDismiss={() => void close()}
      submitDisabledReason={useSiloAdminReason(silo)}
    >
      <Notice>Users of this silo sign in with the provider. {needs}</Notice>
      {children}
    </ResourceForm>
  )
}

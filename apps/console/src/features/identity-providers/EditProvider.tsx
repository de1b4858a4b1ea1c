import { useNavigate } from '@tanstack/react-router'
import Fingerprint from 'lucide-react/icons/fingerprint-pattern'
import type { ReactNode } from 'react'
import type { FieldValues, UseFormReturn } from 'react-hook-form'
import { paths } from '#/lib/addresses.ts'
import { ResourceForm, type RequestOf } from '#/resource/form/ResourceForm.tsx'
import { useSiloAdminReason } from '#/resource/role/useSiloAdminReason.ts'
import { addToast } from '#/ui/feedback/toast.ts'
import { providersChanged, type Provider } from './queries.ts'

/** The side modal that changes a provider of any protocol, and leads back to its view. */
export function EditProvider<V extends FieldValues>({
  silo,
  name,
  protocol,
  form,
  store,
  request,
  children,
}: Pick<Provider, 'name' | 'protocol'> & {
  silo: string
  form: UseFormReturn<V>
  store: (values: V) => Promise<{ name: string }>
  request: RequestOf<V>
  children: ReactNode
}) {
  const navigate = useNavigate()
  const close = (to: string) =>
    navigate({ href: paths.identityProvider(silo, { name: to, protocol }), ignoreBlocker: true })
  const submit = async (values: V) => {
    const changed = await store(values)
    await providersChanged()
    addToast({ content: `Identity provider ${changed.name} updated` })
    await close(changed.name)
  }
  return (
    <ResourceForm
      title="Edit identity provider"
      submitLabel="Update provider"
      resource={{ icon: Fingerprint, name }}
      form={form}
      draft={{ form: `${protocol}Provider`, isChange: true }}
      onSubmit={submit}
      request={request}
      onDismiss={() => void close(name)}
      submitDisabledReason={useSiloAdminReason(silo)}
    >
      {children}
    </ResourceForm>
  )
}

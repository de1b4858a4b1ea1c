import { useNavigate } from '@tanstack/react-router'
import type { FieldValues } from 'react-hook-form'
import { paths } from '#/lib/addresses.ts'
import { reload, roleScope } from '#/resource/kind.ts'
import { kinds } from '#/resource/kinds.ts'
import { ResourceForm, type ResourceFormProps } from '#/resource/form/ResourceForm.tsx'
import { showDoneToast } from '#/resource/actions/toasts.tsx'
import { useRole } from '#/resource/role/useRole.ts'

/** A form that changes something of a silo, and leads to its quotas. */
export function SiloForm<V extends FieldValues>({
  silo,
  what,
  save,
  ...form
}: Pick<ResourceFormProps<V>, 'title' | 'submitLabel' | 'form' | 'request' | 'draft' | 'children'> & {
  silo: string
  /** The changes, as the message at the end begins. */
  what: string
  save: (values: V) => Promise<unknown>
}) {
  const navigate = useNavigate()
  const { lacks } = useRole(...roleScope(kinds.silo, {}))
  const close = () => navigate({ href: paths.siloTab(silo, 'quotas'), ignoreBlocker: true })
  const submit = async (values: V) => {
    await save(values)
    void reload(kinds.silo)
    showDoneToast(what, silo, 'updated')
    await close()
  }
  return (
    <ResourceForm
      {...form}
      resource={{ icon: kinds.silo.icon, name: silo }}
      onSubmit={submit}
      onDismiss={() => void close()}
      submitDisabledReason={lacks('collaborator')}
    />
  )
}

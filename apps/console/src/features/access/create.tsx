import type { Role } from '@purlin/contract/rules/roles'
import { createFileRoute, useNavigate } from '@tanstack/react-router'
import { useForm, useWatch } from 'react-hook-form'
import { candidates } from './choices.ts'
import { changeProjectRole } from './changeRole.ts'
import { Notice } from '#/ui/Notice.tsx'
import { fullReason } from './policy.ts'
import { useAccess } from './useAccess.ts'
import { withArticle } from '#/lib/text.ts'
import { useProjectRole } from '#/resource/useRole.ts'
import { identityWord, inheritedWords, roleOptions } from './words.ts'
import { ResourceForm } from '#/resource/ResourceForm.tsx'
import { sections } from '#/lib/addresses.ts'
import { errorMessage } from '#/api/errors.ts'
import { Badge } from '#/ui/Badge.tsx'
import { ComboboxControl } from '#/ui/form/ComboboxControl.tsx'
import { RadioGroupControl } from '#/ui/form/RadioGroupControl.tsx'
import { Highlight } from '#/ui/Highlight.tsx'
import { addToast } from '#/ui/toast.ts'

export const Route = createFileRoute('/_auth/projects/$project/_in/_access/access-new')({
  staticData: { crumb: { label: 'Add user or group', titleOnly: true } },
  component: AddAccess,
})

function AddAccess() {
  const { project } = Route.useParams()
  const navigate = useNavigate()
  const { policies, people, rows, nameOf } = useAccess(project)
  const { lacks } = useProjectRole(project)
  const form = useForm<{ identity: string; role: Role }>({ defaultValues: { identity: '', role: 'viewer' } })
  const offered = candidates(people, policies.project)
  const chosen = useWatch({ control: form.control, name: 'identity' })
  const inherited = rows.find(({ id }) => id === chosen)
  const close = () => navigate({ href: sections.access.list(project), ignoreBlocker: true })
  const assign = async ({ identity, role }: { identity: string; role: Role }) => {
    const identityType = offered.find(({ id }) => id === identity)?.identityType ?? 'silo_user'
    await changeProjectRole(project, { identityId: identity, identityType, seen: null, roleName: role })
    addToast({
      title: 'Role assigned',
      content: (
        <>
          <Highlight>{nameOf(identity)}</Highlight> is now {withArticle(role)} of this project
        </>
      ),
    })
    await close()
  }
  return (
    <ResourceForm
      title="Add user or group"
      submitLabel="Assign role"
      form={form}
      onSubmit={assign}
      onDismiss={() => void close()}
      submitDisabledReason={lacks('admin') ?? fullReason(policies.project)}
    >
      <ComboboxControl
        name="identity"
        control={form.control}
        label="User or group"
        required
        placeholder="Select a user or group"
        loading={!people.isSettled}
        hint={
          people.error
            ? `Some users and groups could not be loaded: ${errorMessage(people.error)}`
            : undefined
        }
        items={offered.map(({ id, displayName, identityType }) => ({
          value: id,
          label: displayName,
          aside: identityType === 'silo_group' ? <Badge>{identityWord[identityType]}</Badge> : undefined,
        }))}
      />
      <RadioGroupControl name="role" control={form.control} required options={roleOptions} />
      <Notice>{inheritedWords(inherited, nameOf)}</Notice>
    </ResourceForm>
  )
}

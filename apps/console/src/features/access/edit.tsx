import type { Role } from '@purlin/contract/rules/roles'
import { createFileRoute, useNavigate } from '@tanstack/react-router'
import User from 'lucide-react/icons/user'
import Users from 'lucide-react/icons/users'
import { useState } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import { changeProjectRole, knownRole } from './changeRole.ts'
import { Notice } from '#/ui/Notice.tsx'
import { losesAdmin, type RoleChange } from './policy.ts'
import type { AccessRow } from './rows.ts'
import { useAccess, type Access } from './useAccess.ts'
import { withArticle } from '#/lib/text.ts'
import { useProjectRole } from '#/resource/useRole.ts'
import { inheritedWords, roleOptions } from './words.ts'
import { ResourceForm } from '#/resource/ResourceForm.tsx'
import { sections } from '#/lib/addresses.ts'
import { Button } from '#/ui/Button.tsx'
import { CheckboxControl } from '#/ui/form/CheckboxControl.tsx'
import { RadioGroupControl } from '#/ui/form/RadioGroupControl.tsx'
import { Highlight } from '#/ui/Highlight.tsx'
import { SideModal } from '#/ui/SideModal.tsx'
import { addToast } from '#/ui/toast.ts'

export const Route = createFileRoute('/_auth/projects/$project/_in/_access/access/$identity/edit')({
  staticData: { crumb: { label: 'Change role', titleOnly: true } },
  component: ChangeRole,
})

function ChangeRole() {
  const { project, identity } = Route.useParams()
  const navigate = useNavigate()
  const access = useAccess(project)
  const close = () => void navigate({ href: sections.access.list(project), ignoreBlocker: true })
  const row = access.rows.find(({ id }) => id === identity)
  if (access.isPending || access.error) return null
  if (row?.projectRole)
    return (
      <RoleForm
        key={identity}
        project={project}
        access={access}
        row={row}
        seen={row.projectRole}
        onDone={close}
      />
    )
  return (
    <SideModal title="Change role" onDismiss={close} footer={<Button onClick={close}>Close</Button>}>
      <Notice>{access.nameOf(identity)} has no role on this project that could be changed.</Notice>
    </SideModal>
  )
}

interface RoleFormProps {
  project: string
  access: Access
  row: AccessRow
  seen: Role
  onDone: () => void
}

function RoleForm({ project, access, row, seen, onDone }: RoleFormProps) {
  const { lacks } = useProjectRole(project)
  const form = useForm({ defaultValues: { role: seen, understood: false } })
  const role = useWatch({ control: form.control, name: 'role' })
  // What the person decides by is what the form opened with, or the role read after a failed change.
  const [known, setKnown] = useState<Role | null>(seen)
  const change: RoleChange = {
    identityId: row.id,
    identityType: row.identityType,
    seen: known,
    roleName: role,
  }
  const isOwnAdmin = access.self !== undefined && losesAdmin(access.policies, access.self, change)
  const Icon = row.identityType === 'silo_group' ? Users : User
  const update = async () => {
    try {
      await changeProjectRole(project, change)
    } catch (error) {
      setKnown(knownRole(project, row.id))
      throw error
    }
    addToast({
      title: 'Role updated',
      content: (
        <>
          <Highlight>{row.name ?? row.id}</Highlight> is now {withArticle(role)} of this project
        </>
      ),
    })
    onDone()
  }
  return (
    <ResourceForm
      title="Change role"
      submitLabel="Update role"
      resource={{ icon: Icon, name: row.name ?? row.id }}
      form={form}
      onSubmit={update}
      onDismiss={onDone}
      submitDisabledReason={lacks('admin')}
    >
      <RadioGroupControl name="role" control={form.control} required options={roleOptions} />
      {isOwnAdmin && (
        <CheckboxControl
          name="understood"
          control={form.control}
          label="Remove my own admin role on this project"
          hint="Only another admin of the project or the silo can assign it to you again."
          validate={(is) => (is ? undefined : 'Confirm this, or choose the admin role')}
        />
      )}
      <Notice>{inheritedWords(row, access.nameOf)}</Notice>
    </ResourceForm>
  )
}

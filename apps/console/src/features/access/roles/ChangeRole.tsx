import type { Role } from '@purlin/contract/rules/roles'
import { useNavigate } from '@tanstack/react-router'
import User from 'lucide-react/icons/user'
import Users from 'lucide-react/icons/users'
import { useState } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import { withArticle } from '#/lib/text.ts'
import { ResourceForm } from '#/resource/form/ResourceForm.tsx'
import { Button } from '#/ui/button/Button.tsx'
import { CheckboxControl } from '#/ui/form/CheckboxControl.tsx'
import { RadioGroupControl } from '#/ui/form/RadioGroupControl.tsx'
import { Highlight } from '#/ui/value/Highlight.tsx'
import { Notice } from '#/ui/feedback/Notice.tsx'
import { SideModal } from '#/ui/overlay/SideModal.tsx'
import { undoable } from '#/resource/actions/undo.tsx'
import { addToast } from '#/ui/feedback/toast.ts'
import { changeRequest, changeRole, knownRole } from './changeRole.ts'
import { ExpiryControl } from './ExpiryControl.tsx'
import { addressesOf, hereOf, type Place } from '../place.ts'
import { toLocalText } from '#/lib/input/localTime.ts'
import { losesAdmin, type RoleChange } from '../policy.ts'
import type { AccessRow } from '../rows.ts'
import { useAccess, type Access } from '../useAccess.ts'
import { inheritedWords, roleOptions } from '../words.ts'

/** The form that changes the role that a user or group has here. */
export function ChangeRole({ place, identity }: { place: Place; identity: string }) {
  const navigate = useNavigate()
  const access = useAccess(place)
  const close = () => void navigate({ href: addressesOf(place).list, ignoreBlocker: true })
  const row = access.rows.find(({ id }) => id === identity)
  if (access.isPending || access.error) return null
  if (row?.ownRole)
    return <RoleForm key={identity} access={access} row={row} seen={row.ownRole} onDone={close} />
  return (
    <SideModal title="Change role" onDismiss={close} footer={<Button onClick={close}>Close</Button>}>
      <Notice>
        {access.nameOf(identity)} has no role on {hereOf(place)} that could be changed.
      </Notice>
    </SideModal>
  )
}

interface RoleFormProps {
  access: Access
  row: AccessRow
  seen: Role
  onDone: () => void
}

function RoleForm({ access, row, seen, onDone }: RoleFormProps) {
  const { place } = access
  const here = hereOf(place)
  const [opened] = useState({ role: seen, expires: toLocalText(row.expires), understood: false })
  const form = useForm({ defaultValues: opened })
  const role = useWatch({ control: form.control, name: 'role' })
  // The decision is based on the role that the form opened with, or the one read after a failed change.
  const [known, setKnown] = useState<Role | null>(seen)
  const change: RoleChange = {
    identityId: row.id,
    identityType: row.identityType,
    seen: known,
    roleName: role,
  }
  const isOwnAdmin = access.self !== undefined && losesAdmin(access.policies, access.self, change)
  const Icon = row.identityType === 'silo_group' ? Users : User
  const changeOf = ({ expires }: { expires: string }): RoleChange => {
    if (expires === opened.expires) return change
    return { ...change, timeExpires: expires === '' ? null : new Date(expires) }
  }
  const update = async (values: { expires: string }) => {
    let undo
    try {
      undo = await changeRole(place, changeOf(values))
    } catch (error) {
      setKnown(knownRole(place, row.id))
      throw error
    }
    const name = <Highlight>{row.name ?? row.id}</Highlight>
    const is = (what: Role) => (
      <>
        {name} is now {withArticle(what)} of {here}
      </>
    )
    const toast = { title: 'Role updated', content: is(role) }
    // A user who is no longer an admin cannot reverse it.
    const canUndo = known !== null && !isOwnAdmin
    addToast(canUndo ? undoable(toast, { run: undo, undone: is(known) }) : toast)
    onDone()
  }
  return (
    <ResourceForm
      title="Change role"
      submitLabel="Update role"
      resource={{ icon: Icon, name: row.name ?? row.id }}
      form={form}
      onSubmit={update}
      request={(values) => changeRequest(place, changeOf(values))}
      onDismiss={onDone}
      submitDisabledReason={access.lacks}
    >
      <RadioGroupControl name="role" control={form.control} required options={roleOptions(place.level)} />
      <ExpiryControl name="expires" of="role" control={form.control} />
      {isOwnAdmin && (
        <CheckboxControl
          name="understood"
          control={form.control}
          label={`Remove my own admin role on ${here}`}
          hint="Only another admin can assign it to you again."
          validate={(is) => (is ? undefined : 'Confirm this, or choose the admin role')}
        />
      )}
      <Notice>{inheritedWords(row, access.nameOf, place.level)}</Notice>
    </ResourceForm>
  )
}

import { localIdpUserResetSecondFactor } from '@purlin/contract/operations/access/second-factors'
import { userList, userView } from '@purlin/contract/operations/silos/silos'
import {
  localIdpUserActivate,
  localIdpUserCreate,
  localIdpUserDeactivate,
  localIdpUserDelete,
  localIdpUserSetPassword,
  siloUserList,
  userSessionList,
} from '@purlin/contract/operations/access/users'
import type { Control, FieldPath, FieldValues } from 'react-hook-form'
import { useForm } from 'react-hook-form'
import { holdingReads } from '#/live/heldReads.ts'
import { invalidate } from '#/api/query.ts'
import { requestTo, sendRequest } from '#/api/request.ts'
import { newPasswordProblem } from '#/lib/input/newPassword.ts'
import { confirmAction } from '#/resource/actions/confirm.ts'
import { sending } from '#/resource/actions/sendNow.ts'
import { ModalForm } from '#/resource/form/ModalForm.tsx'
import { NameControl } from '#/ui/form/NameControl.tsx'
import { TextControl } from '#/ui/form/TextControl.tsx'
import { Highlight } from '#/ui/value/Highlight.tsx'
import { addToast } from '#/ui/feedback/toast.ts'

const passwordOf = (text: string) =>
  text === '' ? ({ mode: 'login_disallowed' } as const) : ({ mode: 'password', value: text } as const)

function PasswordControl<V extends FieldValues>({
  control,
  name,
  usernameIn,
}: {
  control: Control<V>
  name: FieldPath<V>
  usernameIn: (values: V) => string
}) {
  return (
    <TextControl
      control={control}
      name={name}
      type="password"
      autoComplete="new-password"
      hint="Leave blank to block sign-in until a password is set."
      validate={(text, values) => (text === '' ? undefined : newPasswordProblem(text, usernameIn(values)))}
    />
  )
}

interface NewUser {
  name: string
  password: string
}

/** Makes a local user of the silo. */
export function NewUserDialog({ silo, onDismiss }: { silo: string; onDismiss: () => void }) {
  const form = useForm({ defaultValues: { name: '', password: '' } })
  const request = ({ name, password }: NewUser) =>
    requestTo(localIdpUserCreate, {
      query: { silo },
      body: { externalId: name, password: passwordOf(password) },
    })
  const create = async (values: NewUser) => {
    await sendRequest(request(values))
    await invalidate(userList, siloUserList)
    addToast({ title: 'User created', content: <Highlight>{values.name}</Highlight> })
    onDismiss()
  }
  return (
    <ModalForm
      title="New user"
      submitLabel="Create user"
      form={form}
      onSubmit={create}
      request={request}
      draft="localUser"
      onDismiss={onDismiss}
    >
      <NameControl name="name" control={form.control} />
      <PasswordControl name="password" control={form.control} usernameIn={({ name }) => name} />
    </ModalForm>
  )
}

/** A local user, and the silo that it is of. */
export interface LocalUser {
  id: string
  name: string
  silo: string
}

const targetOf = ({ id: userId, silo }: LocalUser) => ({ params: { userId }, query: { silo } })

/** Sets or removes the password of a local user. */
export function SetPasswordDialog({ user, onDismiss }: { user: LocalUser; onDismiss: () => void }) {
  const form = useForm({ defaultValues: { password: '' } })
  const request = ({ password }: { password: string }) =>
    requestTo(localIdpUserSetPassword, { ...targetOf(user), body: passwordOf(password) })
  const set = async ({ password }: { password: string }) => {
    await sendRequest(request({ password }))
    await invalidate(userSessionList)
    addToast({
      title: password === '' ? 'Password removed' : 'Password set',
      content: <>Other sessions of {user.name} have ended</>,
    })
    onDismiss()
  }
  return (
    <ModalForm
      title="Set password"
      submitLabel="Set password"
      form={form}
      onSubmit={set}
      request={request}
      onDismiss={onDismiss}
    >
      <p className="text-secondary">
        The sessions of <Highlight>{user.name}</Highlight> end, except one that you use yourself.
      </p>
      <PasswordControl name="password" control={form.control} usernameIn={() => user.name} />
    </ModalForm>
  )
}

const refreshUsers = () => invalidate(userList, userView, siloUserList, userSessionList)

/** Asks, and keeps a local user from signing in. */
export function askToDeactivate(user: LocalUser): void {
  const { name } = user
  confirmAction({
    modalTitle: 'Deactivate user',
    modalContent: (
      <p>
        <Highlight>{name}</Highlight> cannot sign in until activated again. Sessions and access tokens end
        now; roles and resources stay.
      </p>
    ),
    errorTitle: 'Could not deactivate the user',
    actionType: 'danger',
    request: requestTo(localIdpUserDeactivate, targetOf(user)),
    doAction: async () => {
      await refreshUsers()
      addToast({ title: 'User deactivated', content: <Highlight>{name}</Highlight> })
    },
  })
}

/** Lets a local user sign in again. */
export const activating = <R,>(userOf: (row: R) => LocalUser) =>
  sending((row: R) => requestTo(localIdpUserActivate, targetOf(userOf(row))), {
    done: (_, row) => ({ title: 'User activated', content: <Highlight>{userOf(row).name}</Highlight> }),
    errorTitle: 'Could not activate the user',
    reload: refreshUsers,
  })

/** Asks, and removes the second factors of a local user who has lost them. */
export function askToResetFactors(user: LocalUser): void {
  const { name } = user
  confirmAction({
    modalTitle: 'Remove second factors',
    modalContent: (
      <p>
        The apps, passkeys and recovery codes of <Highlight>{name}</Highlight> no longer count: the password
        alone signs in until a new factor is added. Make sure that the request comes from the user.
      </p>
    ),
    errorTitle: 'Could not remove the second factors',
    actionType: 'danger',
    request: requestTo(localIdpUserResetSecondFactor, targetOf(user)),
    doAction: async () => {
      await refreshUsers()
      addToast({ title: 'Second factors removed', content: <Highlight>{name}</Highlight> })
    },
  })
}

/** Asks, and deletes a local user with its roles. */
export function askToDelete(user: LocalUser, leave: () => unknown): void {
  const { name } = user
  const request = requestTo(localIdpUserDelete, targetOf(user))
  confirmAction({
    modalTitle: 'Delete user',
    modalContent: (
      <p>
        <Highlight>{name}</Highlight> loses all roles, sessions and SSH keys. What the user has made stays.
      </p>
    ),
    errorTitle: 'Could not delete the user',
    actionType: 'danger',
    typeToConfirm: name,
    command: request,
    doAction: async () => {
      await holdingReads(async () => {
        await sendRequest(request)
        await leave()
      })
      await invalidate(userList, siloUserList)
      addToast({ title: 'User deleted', content: <Highlight>{name}</Highlight> })
    },
  })
}

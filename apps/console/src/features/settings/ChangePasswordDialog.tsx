import { currentUserPasswordUpdate } from '@purlin/contract/operations/access/current-user'
import { passwordProblem } from '@purlin/contract/rules/credentials/passwords'
import { useForm } from 'react-hook-form'
import { invalidate } from '#/api/query.ts'
import { send } from '#/api/send.ts'
import { ModalForm } from '#/resource/form/ModalForm.tsx'
import { addToast } from '#/ui/feedback/toast.ts'
import { TextControl } from '#/ui/form/TextControl.tsx'
import { userSessionList } from '@purlin/contract/operations/access/users'

const problemOf = (text: string, username: string): string | undefined => {
  const problem = passwordProblem(text, username)
  return problem && `A password ${problem}`
}

/** Changes the password of the signed-in user, of a silo with local users. */
export function ChangePasswordDialog({ username, onDismiss }: { username: string; onDismiss: () => void }) {
  const form = useForm({ defaultValues: { currentPassword: '', newPassword: '' } })
  const change = async (body: { currentPassword: string; newPassword: string }) => {
    await send(currentUserPasswordUpdate, { body })
    await invalidate(userSessionList)
    addToast({ title: 'Password changed', content: 'Your other sessions and access tokens have ended' })
    onDismiss()
  }
  return (
    <ModalForm
      title="Change password"
      submitLabel="Change password"
      form={form}
      onSubmit={change}
      onDismiss={onDismiss}
    >
      <p className="text-secondary">Your other sessions and your access tokens end.</p>
      <TextControl
        control={form.control}
        name="currentPassword"
        type="password"
        autoComplete="current-password"
        required
      />
      <TextControl
        control={form.control}
        name="newPassword"
        type="password"
        autoComplete="new-password"
        required
        validate={(text) => problemOf(text, username)}
      />
    </ModalForm>
  )
}

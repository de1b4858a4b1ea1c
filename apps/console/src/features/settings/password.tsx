import { currentUserPasswordUpdate } from '@purlin/contract/operations/access/current-user'
import { userSessionList } from '@purlin/contract/operations/access/users'
import { limits } from '@purlin/contract/rules/limits'
import { useQuery } from '@tanstack/react-query'
import { createFileRoute, useNavigate } from '@tanstack/react-router'
import LockKeyhole from 'lucide-react/icons/lock-keyhole'
import { useForm } from 'react-hook-form'
import { invalidate, prefetch } from '#/api/query.ts'
import { requestTo, sendRequest } from '#/api/request.ts'
import { paths } from '#/lib/addresses.ts'
import { newPasswordProblem } from '#/lib/input/newPassword.ts'
import { FullPageForm } from '#/resource/form/FullPageForm.tsx'
import { useLocalSilo } from '#/resource/role/useLocalSilo.ts'
import { ownQueries } from '#/resource/role/useRole.ts'
import { EmptyState } from '#/ui/feedback/EmptyState.tsx'
import { Skeleton } from '#/ui/feedback/Skeleton.tsx'
import { addToast } from '#/ui/feedback/toast.ts'
import { TextControl } from '#/ui/form/TextControl.tsx'
import { PageHeader } from '#/ui/layout/PageHeader.tsx'

export const Route = createFileRoute('/_auth/settings/password')({
  loader: () => prefetch(ownQueries.me()),
  staticData: { crumb: { label: 'Password', to: () => paths.password } },
  component: PasswordPage,
})

function PasswordPage() {
  const username = useQuery(ownQueries.me()).data?.displayName ?? ''
  const { silo, isPending } = useLocalSilo()
  return (
    <>
      <PageHeader icon={<LockKeyhole />} title="Password" />
      {isPending && <Skeleton className="h-2.5 w-40" />}
      {!isPending && silo === undefined && (
        <EmptyState
          icon={<LockKeyhole />}
          title="No password here"
          body="You sign in with the identity provider of your organization, which has your password."
        />
      )}
      {silo !== undefined && <PasswordForm username={username} />}
    </>
  )
}

interface Values {
  currentPassword: string
  newPassword: string
  repeated: string
}
const labels = {
  currentPassword: 'Current password',
  newPassword: 'New password',
  repeated: 'Repeat new password',
} satisfies Record<keyof Values, string>

/** Changes the password of the signed-in user. */
function PasswordForm({ username }: { username: string }) {
  const navigate = useNavigate()
  const form = useForm<Values>({
    defaultValues: { currentPassword: '', newPassword: '', repeated: '' },
    shouldFocusError: false,
  })
  const leave = () => navigate({ href: paths.profile, ignoreBlocker: true })
  const request = ({ currentPassword, newPassword }: Values) =>
    requestTo(currentUserPasswordUpdate, { body: { currentPassword, newPassword } })
  const change = async (values: Values) => {
    await sendRequest(request(values))
    await invalidate(userSessionList)
    addToast({ title: 'Password changed', content: 'Your other sessions and access tokens have ended' })
    await leave()
  }
  return (
    <FullPageForm
      form={form}
      submitLabel="Change password"
      onSubmit={change}
      request={request}
      onCancel={() => void leave()}
      fields={labels}
    >
      <div className="flex max-w-[28rem] flex-col gap-4">
        <p className="text-secondary">Your other sessions and your access tokens end.</p>
        <TextControl
          control={form.control}
          name="currentPassword"
          label={labels.currentPassword}
          type="password"
          autoComplete="current-password"
          required
        />
        <TextControl
          control={form.control}
          name="newPassword"
          label={labels.newPassword}
          type="password"
          autoComplete="new-password"
          required
          hint={`At least ${limits.password.min} characters, without your name, and not a common password.`}
          validate={(text) => newPasswordProblem(text, username)}
        />
        <TextControl
          control={form.control}
          name="repeated"
          label={labels.repeated}
          type="password"
          autoComplete="new-password"
          required
          validate={(text, { newPassword }) =>
            text === newPassword ? undefined : 'This is not the same password'
          }
        />
      </div>
    </FullPageForm>
  )
}

import {
  currentUserAccessTokenCreate,
  currentUserAccessTokenList,
  userTokenList,
} from '@purlin/contract/operations/access/access-tokens'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { invalidate } from '#/api/query.ts'
import { requestTo, sendRequest } from '#/api/request.ts'
import { ModalForm } from '#/resource/form/ModalForm.tsx'
import { ListboxControl } from '#/ui/form/ListboxControl.tsx'
import { NameControl } from '#/ui/form/NameControl.tsx'
import { CopyModal, CopyText } from '#/ui/overlay/CopyModal.tsx'
import { daySeconds, validitiesWithin } from '../access/tokens/validities.ts'
import { signInSettings } from '#/features/access/tokens/settings.ts'

interface Values {
  name: string
  days: string
}

const request = ({ name, days }: Values) =>
  requestTo(currentUserAccessTokenCreate, {
    body: { name, ...(days === '' ? {} : { ttlSeconds: Number(days) * daySeconds }) },
  })

/** Makes an access token of the signed-in user, and shows it once. */
export function NewAccessToken({ onDismiss }: { onDismiss: () => void }) {
  const [secret, setSecret] = useState<string>()
  const settings = useQuery({ ...signInSettings, throwOnError: false })
  if (secret !== undefined) return <SecretDialog secret={secret} onDismiss={onDismiss} />
  // The validities are known when the form begins.
  if (settings.isPending) return null
  const most = settings.data?.deviceTokenMaxTtlSeconds ?? null
  return <TokenForm most={most} onMade={setSecret} onDismiss={onDismiss} />
}

const usualDays = '30'

function TokenForm({
  most,
  onMade,
  onDismiss,
}: {
  most: number | null
  onMade: (secret: string) => void
  onDismiss: () => void
}) {
  const items = validitiesWithin(most)
  const days = items.some(({ value }) => value === usualDays) ? usualDays : ''
  const form = useForm<Values>({ defaultValues: { name: '', days } })
  const create = async (values: Values) => {
    const { token } = await sendRequest(request(values))
    await invalidate(currentUserAccessTokenList, userTokenList)
    onMade(token)
  }
  return (
    <ModalForm
      title="New access token"
      submitLabel="Create access token"
      form={form}
      onSubmit={create}
      request={request}
      draft="accessToken"
      onDismiss={onDismiss}
    >
      <p>The token can do all that you can do. Keep it like a password.</p>
      <NameControl name="name" control={form.control} />
      <ListboxControl
        name="days"
        label="Valid for"
        control={form.control}
        items={items}
        hint={most === null ? undefined : 'As long as the silo allows.'}
      />
    </ModalForm>
  )
}

/** Commands that use a token. */
const commandsWith = (token: string) => {
  const { origin } = window.location
  return {
    purlin: `PURLIN_HOST=${origin} PURLIN_TOKEN=${token} purlin project list`,
    curl: `curl -H 'Authorization: Bearer ${token}' ${origin}/v1/me`,
  }
}

/** Shows a new token, which is not shown again, and the commands that try it. */
function SecretDialog({ secret, onDismiss }: { secret: string; onDismiss: () => void }) {
  const commands = commandsWith(secret)
  return (
    <CopyModal
      title="Access token created"
      description="Copy the token now. It is shown only once."
      what="token"
      text={secret}
      onDismiss={onDismiss}
    >
      <CopyText label="Token" text={secret} />
      <p className="text-secondary">With the command line:</p>
      <CopyText label="Command line" text={commands.purlin} />
      <p className="text-secondary">Or as a request:</p>
      <CopyText label="Request" text={commands.curl} />
    </CopyModal>
  )
}

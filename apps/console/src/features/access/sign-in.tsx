import { authSettingsUpdate, authSettingsView } from '@purlin/contract/operations/access/access-tokens'
import type { Result } from '@purlin/contract/op'
import { useQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { invalidate, load } from '#/api/query.ts'
import { requestTo, sendRequest } from '#/api/request.ts'
import { paths } from '#/lib/addresses.ts'
import { LoadToEdit, type Fresh } from '#/resource/form/fresh/LoadToEdit.tsx'
import { ModalForm } from '#/resource/form/ModalForm.tsx'
import { useLoaded } from '#/resource/form/useLoaded.ts'
import { ownQueries } from '#/resource/role/useRole.ts'
import { Button } from '#/ui/button/Button.tsx'
import { Card } from '#/ui/layout/Card.tsx'
import { NumberControl } from '#/ui/form/NumberControl.tsx'
import { PropertiesTable } from '#/ui/value/PropertiesTable.tsx'
import { addToast } from '#/ui/feedback/toast.ts'
import { RequiredFactor } from './tokens/RequiredFactor.tsx'
import { lifetimeWords } from './tokens/lifetimeWords.ts'
import { signInSettings } from './tokens/settings.ts'

export const Route = createFileRoute('/_auth/_silo/_access-tabs/access/sign-in')({
  loader: () => load(signInSettings),
  staticData: { crumb: { label: 'Sign-in', to: () => paths.signInSettings } },
  component: SignInSettings,
})

/** How the users of the silo sign in, and how long their access tokens may be valid. */
function SignInSettings() {
  const { deviceTokenMaxTtlSeconds: most = null, secondFactorRequired = false } = useLoaded(signInSettings)
  const [isEditing, setEditing] = useState(false)
  const me = useQuery(ownQueries.me()).data
  const disabledReason = me?.siloAdmin === false ? 'This requires the admin role on the silo.' : undefined
  return (
    <div className="flex flex-col gap-6">
      <Card
        title="Lifetime of access tokens"
        description="Users make access tokens for programs, or sign these in with a code."
        actions={
          <Button onClick={() => setEditing(true)} disabledReason={disabledReason}>
            Edit
          </Button>
        }
      >
        <PropertiesTable
          columns={1}
          properties={[{ label: 'Longest', value: most === null ? 'No limit' : lifetimeWords(most) }]}
        />
        <p className="mt-3 text-secondary">
          A program that asks for no lifetime gets the longest. Tokens that exist keep the one that they have.
        </p>
      </Card>
      <RequiredFactor isRequired={secondFactorRequired} most={most} disabledReason={disabledReason} />
      {isEditing && <EditLifetime onDismiss={() => setEditing(false)} />}
    </div>
  )
}

interface Lifetime {
  /** NaN for no limit. */
  seconds: number
}

const maxSeconds = 4_294_967_295

interface Shown {
  onDismiss: () => void
}

const EditLifetime = ({ onDismiss }: Shown) => (
  <LoadToEdit title="Lifetime of access tokens" read={signInSettings} onDismiss={onDismiss}>
    {(settings) => <LifetimeForm settings={settings} onDismiss={onDismiss} />}
  </LoadToEdit>
)

type Settings = Fresh<Result<typeof authSettingsView>>

function LifetimeForm({ settings, onDismiss }: Shown & { settings: Settings }) {
  const form = useForm({ defaultValues: { seconds: settings.deviceTokenMaxTtlSeconds ?? Number.NaN } })
  const request = ({ seconds }: Lifetime) =>
    requestTo(authSettingsUpdate, {
      body: { deviceTokenMaxTtlSeconds: Number.isNaN(seconds) ? null : seconds },
    })
  const save = async (values: Lifetime) => {
    await sendRequest(request(values))
    await invalidate(authSettingsView)
    addToast({ content: 'Lifetime of access tokens updated' })
    onDismiss()
  }
  return (
    <ModalForm
      title="Lifetime of access tokens"
      submitLabel="Save"
      form={form}
      onSubmit={save}
      request={request}
      onDismiss={onDismiss}
    >
      <NumberControl
        name="seconds"
        label="Longest lifetime (seconds)"
        control={form.control}
        min={1}
        max={maxSeconds}
        integer
        hint={`Leave blank for no limit. One day has ${(86_400).toLocaleString()} seconds.`}
      />
    </ModalForm>
  )
}

import {
  serviceAccountKeyCreate,
  serviceAccountKeyList,
} from '@purlin/contract/operations/access/service-accounts'
import { useForm, useWatch } from 'react-hook-form'
import { invalidate } from '#/api/query.ts'
import { requestTo, sendRequest } from '#/api/request.ts'
import { ModalForm } from '#/resource/form/ModalForm.tsx'
import { usePicker } from '#/resource/form/usePicker.ts'
import { kinds } from '#/resource/kinds.ts'
import { CheckboxControl } from '#/ui/form/CheckboxControl.tsx'
import { ComboboxControl } from '#/ui/form/ComboboxControl.tsx'
import { ListboxControl } from '#/ui/form/ListboxControl.tsx'
import { NameControl } from '#/ui/form/NameControl.tsx'
import { CopyModal, CopyText } from '#/ui/overlay/CopyModal.tsx'
import { daySeconds, validities } from '../tokens/validities.ts'
import type { Account } from './accounts.ts'

interface KeyForm {
  name: string
  days: string
  readOnly: boolean
  project: string
}

/** The request that a form means. */
const toBody = ({ name, days, readOnly, project }: KeyForm) => ({
  name,
  ttlSeconds: Number(days) * daySeconds,
  readOnly,
  ...(project === '' ? {} : { project }),
})

/** Makes a key. The projects to choose from are those of the own silo: an operator sees no others. */
export function KeyDialog({
  silo,
  account,
  isOwn,
  onMade,
  onDismiss,
}: {
  silo: string
  account: Account
  isOwn: boolean
  onMade: (secret: string) => void
  onDismiss: () => void
}) {
  const defaultValues: KeyForm = { name: '', days: '90', readOnly: true, project: '' }
  const form = useForm({ defaultValues })
  const project = useWatch({ control: form.control, name: 'project' })
  const projects = usePicker(kinds.project, { scope: {}, value: project, by: 'name', enabled: isOwn })
  const target = { params: { serviceAccount: account.name }, query: { silo } }
  const request = (values: KeyForm) => requestTo(serviceAccountKeyCreate, { ...target, body: toBody(values) })
  const create = async (values: KeyForm) => {
    const { key } = await sendRequest(request(values))
    await invalidate(serviceAccountKeyList)
    onDismiss()
    onMade(key)
  }
  return (
    <ModalForm
      title="New key"
      submitLabel="Create key"
      form={form}
      onSubmit={create}
      request={request}
      draft={{ form: 'serviceAccountKey', place: account.id }}
      onDismiss={onDismiss}
    >
      <NameControl name="name" control={form.control} />
      <ListboxControl
        name="days"
        label="Valid for"
        control={form.control}
        items={validities}
        hint="No longer than the silo allows for access tokens."
      />
      <CheckboxControl
        name="readOnly"
        label="Read-only"
        control={form.control}
        hint="The key changes nothing, whatever roles the account has."
      />
      {isOwn && (
        <ComboboxControl
          name="project"
          label="Only project"
          control={form.control}
          hint="Leave blank for a key that reaches what the account does."
          {...projects.field}
        />
      )}
    </ModalForm>
  )
}

/** A command that uses a key. */
const commandWith = (key: string): string =>
  `curl -H 'Authorization: Bearer ${key}' ${window.location.origin}/v1/me`

/** Shows a new key, which is not shown again, in the command that tries it. */
export function SecretDialog({ secret, onDismiss }: { secret: string; onDismiss: () => void }) {
  return (
    <CopyModal
      title="Key created"
      description="Copy the key now. It is shown only once."
      what="key"
      text={secret}
      onDismiss={onDismiss}
    >
      <CopyText label="Key" text={secret} />
      <p className="text-secondary">A program sends it as a bearer token:</p>
      <CopyText label="Command" text={commandWith(secret)} />
    </CopyModal>
  )
}

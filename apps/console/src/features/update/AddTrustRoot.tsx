import { systemUpdateTrustRootCreate } from '@purlin/contract/operations/updates/trust-roots'
import { limits } from '@purlin/contract/rules/limits'
import { useQuery } from '@tanstack/react-query'
import { useForm, useWatch } from 'react-hook-form'
import { ExplainedError } from '#/api/errors.ts'
import { requestTo, sendRequest } from '#/api/request.ts'
import { formatSize } from '#/lib/format.ts'
import { ModalForm } from '#/resource/form/ModalForm.tsx'
import { Expiry } from '#/features/certificates/Expiry.tsx'
import { expiryOf } from '#/features/certificates/expiry.ts'
import { Notice } from '#/ui/feedback/Notice.tsx'
import { useNow } from '#/ui/value/useNow.ts'
import { PropertiesTable } from '#/ui/value/PropertiesTable.tsx'
import { FileControl } from '#/ui/form/FileControl.tsx'
import { addToast } from '#/ui/feedback/toast.ts'
import { reloadTrustRoots } from './queries.ts'
import { signaturesText, statementsOf } from './rootDocument.ts'

interface Values {
  file: File | null
}

const empty: Values = { file: null }

const tooLarge = (file: File | null): string | undefined =>
  file && file.size > limits.update.root
    ? `The file may have at most ${formatSize(limits.update.root)}`
    : undefined

/** The request that adds the root document of a file. */
async function request({ file }: Values) {
  if (!file) throw new ExplainedError('Choose the root document')
  return requestTo(systemUpdateTrustRootCreate, {
    query: { unlessTrusted: true },
    body: parsed(await file.text()),
  })
}

/** A text that is no JSON is sent as it is: the server says what is wrong. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text.slice(0, 1000)
  }
}

/** Adds the root document of a publisher. */
export function AddTrustRoot({ onDismiss }: { onDismiss: () => void }) {
  const form = useForm({ defaultValues: empty })
  const add = async (values: Values) => {
    await sendRequest(await request(values))
    await reloadTrustRoots()
    addToast({ content: 'Trust root added' })
    onDismiss()
  }
  return (
    <ModalForm
      title="Add trust root"
      submitLabel="Add"
      form={form}
      onSubmit={add}
      request={request}
      onDismiss={onDismiss}
    >
      <FileControl
        name="file"
        label="Root document"
        control={form.control}
        required
        accept=".json"
        validate={tooLarge}
        hint="Compare its SHA-256 with the one that the publisher has given you in another way."
      />
      <Statements file={useWatch({ control: form.control, name: 'file' })} />
    </ModalForm>
  )
}

/** The statements of the chosen document, and a warning if it has expired or will soon. */
function Statements({ file }: { file: File | null }) {
  const now = useNow(false)
  const { data } = useQuery({
    queryKey: ['rootDocument', file?.name, file?.size, file?.lastModified],
    queryFn: async () => statementsOf(parsed((await file?.text()) ?? '')),
    enabled: file !== null && tooLarge(file) === undefined,
    throwOnError: false,
  })
  if (!file || data?.version === undefined) return null
  const { version, expires, keyIds } = data
  const state = expiryOf({ notAfter: expires }, now)
  return (
    <>
      <PropertiesTable
        columns={1}
        properties={[
          { label: 'Keys', value: <span className="mono wrap-anywhere">{keyIds.join(', ')}</span> },
          { label: 'Must sign', value: <span className="mono">{signaturesText(data)}</span> },
          { label: 'Version', value: <span className="mono">{version}</span> },
          { label: 'Expires', value: expires && <Expiry notAfter={expires} /> },
        ]}
      />
      {state && state.tone !== 'ok' && (
        <Notice
          tone="danger"
          title={state.text === 'expired' ? 'This root has expired' : `This root ${state.text}`}
        >
          Once it has expired, it accepts only repositories that bring a newer root document, signed by its
          keys. Ask the publisher for the newest one.
        </Notice>
      )}
    </>
  )
}

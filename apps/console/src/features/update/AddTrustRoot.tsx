import { systemUpdateTrustRootCreate } from '@purlin/contract/operations/updates/trust-roots'
import { limits } from '@purlin/contract/rules/limits'
import { useForm } from 'react-hook-form'
import { ExplainedError } from '#/api/errors.ts'
import { requestTo, sendRequest } from '#/api/request.ts'
import { formatSize } from '#/lib/format.ts'
import { ModalForm } from '#/resource/form/ModalForm.tsx'
import { FileControl } from '#/ui/form/FileControl.tsx'
import { addToast } from '#/ui/feedback/toast.ts'
import { reloadTrustRoots } from './queries.ts'

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
  return requestTo(systemUpdateTrustRootCreate, { body: parsed(await file.text()) })
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
    </ModalForm>
  )
}

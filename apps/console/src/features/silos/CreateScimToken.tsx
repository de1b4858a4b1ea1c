import { limits } from '@purlin/contract/rules/limits'
import { scimTokenCreate, scimTokenList } from '@purlin/contract/operations/access/scim-tokens'
import { useForm } from 'react-hook-form'
import { invalidate } from '#/api/query.ts'
import { requestTo, sendRequest } from '#/api/request.ts'
import { ModalForm } from '#/resource/form/ModalForm.tsx'
import { Highlight } from '#/ui/value/Highlight.tsx'
import { TextControl } from '#/ui/form/TextControl.tsx'
import { ExpiryControl } from '../access/roles/ExpiryControl.tsx'

interface Values {
  name: string
  expires: string
}

/** The query of a creation. Blank fields are left out. */
const toQuery = (silo: string, { name, expires }: Values) => ({
  silo,
  ...(name.trim() === '' ? {} : { name: name.trim() }),
  ...(expires === '' ? {} : { timeExpires: new Date(expires) }),
})

interface CreateScimTokenProps {
  silo: string
  /** Called with the token, which no later answer has. */
  onCreated: (secret: string) => void
  onDismiss: () => void
}

/** Creates a SCIM token of a silo. */
export function CreateScimToken({ silo, onCreated, onDismiss }: CreateScimTokenProps) {
  const form = useForm<Values>({ defaultValues: { name: '', expires: '' } })
  const request = (values: Values) => requestTo(scimTokenCreate, { query: toQuery(silo, values) })
  const create = async (values: Values) => {
    const { bearerToken } = await sendRequest(request(values))
    await invalidate(scimTokenList)
    onCreated(bearerToken)
  }
  return (
    <ModalForm
      title="Create SCIM token"
      submitLabel="Create"
      form={form}
      onSubmit={create}
      request={request}
      draft="scimToken"
      onDismiss={onDismiss}
    >
      <p>
        Anyone who has the token can manage all users and groups of silo <Highlight>{silo}</Highlight>, and
        can therefore make a user an admin of it.
      </p>
      <TextControl
        name="name"
        control={form.control}
        maxLength={limits.scim.tokenName}
        hint="For people, such as the program that uses it."
      />
      <ExpiryControl name="expires" of="token" control={form.control} />
    </ModalForm>
  )
}

import type { currentUserSshKeyCreate } from '@purlin/contract/operations/access/ssh-keys'
import type { Result } from '@purlin/contract/op'
import { sshKeyProblem } from '@purlin/contract/rules/credentials/ssh-key'
import type { ReactNode } from 'react'
import { capitalize } from '#/lib/text.ts'
import { TextAreaControl } from '#/ui/form/TextAreaControl.tsx'
import { CreateForm } from '#/resource/form/CreateForm.tsx'
import { kinds } from '#/resource/kinds.ts'

/** A public key of the signed-in person. */
export type OwnSshKey = Result<typeof currentUserSshKeyCreate>

export interface SshKeyFormProps {
  /** Called once the key is stored and said so. It and `onDismiss` lead to the list unless given. */
  onCreated?: (key: OwnSshKey) => unknown
  onDismiss?: () => void
  /** Stands above the fields. */
  note?: ReactNode
  animate?: boolean
}

const complaint = (text: string): string | undefined => {
  const problem = sshKeyProblem(text)
  return problem && capitalize(problem)
}

/** 'Add SSH key' in a side modal: stores a public key in the profile of the signed-in person. */
export const SshKeyForm = ({ note, ...rest }: SshKeyFormProps) => (
  <CreateForm
    kind={kinds.sshKey}
    title="Add SSH key"
    values={{ name: '', description: '', publicKey: '' }}
    toBody={({ publicKey, ...body }) => ({ ...body, publicKey: publicKey.trim() })}
    note={note && <p className="text-secondary">{note}</p>}
    {...rest}
  >
    {({ control }) => (
      <TextAreaControl
        name="publicKey"
        control={control}
        required
        mono
        rows={8}
        validate={complaint}
        hint="A public key in OpenSSH format: the single line of the .pub file."
        placeholder="ssh-ed25519 AAAA… me@laptop"
      />
    )}
  </CreateForm>
)

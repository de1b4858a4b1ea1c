import {
  currentUserSshKeyCreate,
  currentUserSshKeyList,
  currentUserSshKeyView,
} from '@purlin/contract/operations/session'
import type { Result } from '@purlin/contract/op'
import { sshKeyProblem } from '@purlin/contract/rules/ssh-key'
import type { ReactNode } from 'react'
import { useForm } from 'react-hook-form'
import { invalidate, remember } from '../../api.ts'
import { send } from '../../send.ts'
import { capitalize } from '../../lib/text.ts'
import { DescriptionControl } from '../../ui/form/DescriptionControl.tsx'
import { NameControl } from '../../ui/form/NameControl.tsx'
import { TextAreaControl } from '../../ui/form/TextAreaControl.tsx'
import { Highlight } from '../../ui/Highlight.tsx'
import { addToast } from '../../ui/toast.ts'
import { ResourceForm } from '../ResourceForm.tsx'

/** A public key of the signed-in person. */
export type OwnSshKey = Result<typeof currentUserSshKeyCreate>

export interface SshKeyFormProps {
  /** Called once the key is stored and said so: close the form here. */
  onCreated: (key: OwnSshKey) => unknown
  onDismiss: () => void
  /** Stands above the fields. */
  note?: ReactNode
  animate?: boolean
}

const complaint = (text: string): string | undefined => {
  const problem = sshKeyProblem(text)
  return problem && capitalize(problem)
}

/** 'Add SSH key' in a side modal: stores a public key in the profile of the signed-in person. */
export function SshKeyForm({ onCreated, onDismiss, note, animate = false }: SshKeyFormProps) {
  const form = useForm({ defaultValues: { name: '', description: '', publicKey: '' } })
  const add = async ({ publicKey, ...head }: { name: string; description: string; publicKey: string }) => {
    const key = await send(currentUserSshKeyCreate, { body: { ...head, publicKey: publicKey.trim() } })
    remember(currentUserSshKeyView, { params: { sshKey: key.name } }, key)
    void invalidate(currentUserSshKeyList)
    addToast({
      content: (
        <>
          SSH key <Highlight>{key.name}</Highlight> created
        </>
      ),
    })
    await onCreated(key)
  }
  return (
    <ResourceForm title="Add SSH key" form={form} onSubmit={add} onDismiss={onDismiss} animate={animate}>
      {note && <p className="text-secondary">{note}</p>}
      <NameControl name="name" control={form.control} />
      <DescriptionControl name="description" control={form.control} />
      <TextAreaControl
        name="publicKey"
        control={form.control}
        required
        mono
        rows={8}
        validate={complaint}
        hint="One line in OpenSSH format, as in the file that ends with .pub."
        placeholder="ssh-ed25519 AAAA… me@laptop"
      />
    </ResourceForm>
  )
}

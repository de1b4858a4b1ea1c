import {
  serviceAccountCreate,
  serviceAccountDelete,
  serviceAccountKeyList,
  serviceAccountList,
  serviceAccountUpdate,
  serviceAccountView,
} from '@purlin/contract/operations/access/service-accounts'
import { useForm } from 'react-hook-form'
import { invalidate } from '#/api/query.ts'
import { send } from '#/api/send.ts'
import { holdingReads } from '#/live/heldReads.ts'
import { confirmAction } from '#/resource/actions/confirm.ts'
import { ModalForm } from '#/resource/form/ModalForm.tsx'
import { addToast } from '#/ui/feedback/toast.ts'
import { DescriptionControl } from '#/ui/form/DescriptionControl.tsx'
import { NameControl } from '#/ui/form/NameControl.tsx'
import { Highlight } from '#/ui/value/Highlight.tsx'
import type { Account } from './accounts.ts'

const refresh = () => invalidate(serviceAccountList, serviceAccountView, serviceAccountKeyList)
const targetOf = (silo: string, { name }: Pick<Account, 'name'>) => ({
  params: { serviceAccount: name },
  query: { silo },
})

interface Shown {
  silo: string
  /** Runs after the change, with the name that the account now has. */
  onDone: (name: string) => unknown
  onDismiss: () => void
}

/** Makes a service account, or changes the name and description of one. */
export function AccountDialog({
  silo,
  account,
  onDone,
  onDismiss,
}: Shown & { account?: Account | undefined }) {
  const { name = '', description = '' } = account ?? {}
  const form = useForm({ defaultValues: { name, description } })
  const save = async (body: { name: string; description: string }) => {
    if (account) await send(serviceAccountUpdate, { ...targetOf(silo, account), body })
    else await send(serviceAccountCreate, { query: { silo }, body })
    await onDone(body.name)
    await refresh()
    addToast({
      title: account ? 'Service account updated' : 'Service account created',
      content: <Highlight>{body.name}</Highlight>,
    })
    onDismiss()
  }
  return (
    <ModalForm
      title={account ? 'Edit service account' : 'New service account'}
      submitLabel={account ? 'Save' : 'Create service account'}
      form={form}
      onSubmit={save}
      onDismiss={onDismiss}
    >
      <NameControl name="name" control={form.control} />
      <DescriptionControl name="description" control={form.control} />
    </ModalForm>
  )
}

const setDisabled = async (silo: string, account: Account, disabled: boolean) => {
  await send(serviceAccountUpdate, { ...targetOf(silo, account), body: { disabled } })
  await refresh()
  addToast({
    title: disabled ? 'Service account disabled' : 'Service account enabled',
    content: <Highlight>{account.name}</Highlight>,
  })
}

/** Asks, and disables a service account: its keys end. */
export const askToDisable = (silo: string, account: Account): void =>
  confirmAction({
    modalTitle: 'Disable service account',
    modalContent: (
      <p>
        All keys of <Highlight>{account.name}</Highlight> are deleted now, and programs that use them are
        refused. Roles stay. After you enable it again, it needs new keys.
      </p>
    ),
    errorTitle: 'Could not disable the service account',
    actionType: 'danger',
    doAction: () => setDisabled(silo, account, true),
  })

/** Asks, and enables a service account. */
export const askToEnable = (silo: string, account: Account): void =>
  confirmAction({
    modalTitle: 'Enable service account',
    modalContent: (
      <p>
        <Highlight>{account.name}</Highlight> has the roles that it had. Create a key for it to use them.
      </p>
    ),
    errorTitle: 'Could not enable the service account',
    actionType: 'primary',
    doAction: () => setDisabled(silo, account, false),
  })

/** Asks, and deletes a service account with its keys and roles. */
export const askToDeleteAccount = (silo: string, account: Account, leave: () => unknown): void =>
  confirmAction({
    modalTitle: 'Delete service account',
    modalContent: (
      <p>
        The keys and roles of <Highlight>{account.name}</Highlight> are deleted with it. This cannot be
        undone.
      </p>
    ),
    errorTitle: 'Could not delete the service account',
    actionType: 'danger',
    doAction: async () => {
      await holdingReads(async () => {
        await send(serviceAccountDelete, targetOf(silo, account))
        await leave()
      })
      await refresh()
      addToast({ title: 'Service account deleted', content: <Highlight>{account.name}</Highlight> })
    },
  })

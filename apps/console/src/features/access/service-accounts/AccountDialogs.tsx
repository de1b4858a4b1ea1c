import {
  serviceAccountCreate,
  serviceAccountDelete,
  serviceAccountKeyList,
  serviceAccountList,
  serviceAccountUpdate,
  serviceAccountView,
} from '@purlin/contract/operations/access/service-accounts'
import type { ReactNode } from 'react'
import { useForm } from 'react-hook-form'
import { invalidate, query } from '#/api/query.ts'
import { requestTo, sendRequest, type ApiRequest } from '#/api/request.ts'
import { holdingReads } from '#/live/heldReads.ts'
import { confirmAction } from '#/resource/actions/confirm.ts'
import { LoadToEdit, type Fresh } from '#/resource/form/fresh/LoadToEdit.tsx'
import { ModalForm } from '#/resource/form/ModalForm.tsx'
import { addToast } from '#/ui/feedback/toast.ts'
import { DescriptionControl } from '#/ui/form/DescriptionControl.tsx'
import { NameControl } from '#/ui/form/NameControl.tsx'
import { Highlight } from '#/ui/value/Highlight.tsx'
import type { Identity } from '#/resource/form/IdentityControls.tsx'
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
export const AccountDialog = ({ account, ...shown }: Shown & { account?: Account | undefined }) =>
  account ? (
    <LoadToEdit
      title="Edit service account"
      // By id: another user may have renamed it.
      read={query(serviceAccountView, targetOf(shown.silo, { name: account.id }))}
      onDismiss={shown.onDismiss}
    >
      {(now) => <AccountForm {...shown} account={now} />}
    </LoadToEdit>
  ) : (
    <AccountForm {...shown} />
  )

function AccountForm({ silo, account, onDone, onDismiss }: Shown & { account?: Fresh<Account> }) {
  const { name = '', description = '' } = account ?? {}
  const form = useForm({ defaultValues: { name, description } })
  const request = (body: Identity): ApiRequest =>
    account
      ? requestTo(serviceAccountUpdate, { ...targetOf(silo, account), body })
      : requestTo(serviceAccountCreate, { query: { silo }, body })
  const save = async (body: Identity) => {
    await sendRequest(request(body))
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
      request={request}
      draft={account ? { form: 'serviceAccount', place: account.id, isChange: true } : 'serviceAccount'}
      onDismiss={onDismiss}
    >
      <NameControl name="name" control={form.control} />
      <DescriptionControl name="description" control={form.control} />
    </ModalForm>
  )
}

interface Question {
  /** 'Disable', 'disabled' */
  verb: string
  done: string
  isDanger: boolean
  body: ReactNode
  request: ApiRequest
  /** Leaves the page of an account that is no more. */
  leave?: () => unknown
}

/** Asks, and does it with a service account. */
const ask = ({ name }: Account, { verb, done, isDanger, body, request, leave }: Question): void =>
  confirmAction({
    modalTitle: `${verb} service account`,
    modalContent: <p>{body}</p>,
    errorTitle: `Could not ${verb.toLowerCase()} the service account`,
    actionType: isDanger ? 'danger' : 'primary',
    command: request,
    doAction: async () => {
      const send = () => sendRequest(request)
      await (leave ? holdingReads(() => send().then(leave)) : send())
      await refresh()
      addToast({ title: `Service account ${done}`, content: <Highlight>{name}</Highlight> })
    },
  })

/** Asks, and disables a service account: its keys end. */
export const askToDisable = (silo: string, account: Account): void =>
  ask(account, {
    verb: 'Disable',
    done: 'disabled',
    isDanger: true,
    request: requestTo(serviceAccountUpdate, { ...targetOf(silo, account), body: { disabled: true } }),
    body: (
      <>
        All keys of <Highlight>{account.name}</Highlight> are deleted now, and programs that use them are
        refused. Roles stay. After you enable it again, it needs new keys.
      </>
    ),
  })

/** Asks, and enables a service account. */
export const askToEnable = (silo: string, account: Account): void =>
  ask(account, {
    verb: 'Enable',
    done: 'enabled',
    isDanger: false,
    request: requestTo(serviceAccountUpdate, { ...targetOf(silo, account), body: { disabled: false } }),
    body: (
      <>
        <Highlight>{account.name}</Highlight> has the roles that it had. Create a key for it to use them.
      </>
    ),
  })

/** Asks, and deletes a service account with its keys and roles. */
export const askToDeleteAccount = (silo: string, account: Account, leave: () => unknown): void =>
  ask(account, {
    verb: 'Delete',
    done: 'deleted',
    isDanger: true,
    leave,
    request: requestTo(serviceAccountDelete, targetOf(silo, account)),
    body: (
      <>
        The keys and roles of <Highlight>{account.name}</Highlight> are deleted with it. This cannot be
        undone.
      </>
    ),
  })

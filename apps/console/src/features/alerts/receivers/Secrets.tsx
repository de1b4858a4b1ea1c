import {
  webhookSecretsAdd,
  webhookSecretsDelete,
  webhookSecretsList,
} from '@purlin/contract/operations/alerts/receivers'
import { alertLimits } from '@purlin/contract/rules/alerts/limits'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { invalidate } from '#/api/query.ts'
import { requestTo, sendRequest } from '#/api/request.ts'
import { copyId, useActions, type Action } from '#/resource/actions/actions.tsx'
import { showDoneToast } from '#/resource/actions/toasts.tsx'
import { ModalForm } from '#/resource/form/ModalForm.tsx'
import { reload, roleFor, roleScope } from '#/resource/kind.ts'
import { useRole } from '#/resource/role/useRole.ts'
import { Button } from '#/ui/button/Button.tsx'
import { TextControl } from '#/ui/form/TextControl.tsx'
import { Card } from '#/ui/layout/Card.tsx'
import { RowMenu } from '#/ui/overlay/RowMenu.tsx'
import type { Column } from '#/ui/table/columns.ts'
import { Table } from '#/ui/table/Table.tsx'
import { DateTime } from '#/ui/value/DateTime.tsx'
import { receiver as receiverKind, type Receiver, type ReceiverBy } from '../kinds.ts'

type Secret = ReceiverBy<'webhook'>['kind']['secrets'][number]
const columns: readonly Column<Secret>[] = [
  { id: 'id', header: 'id', mono: true, isRowHeader: true, cell: ({ id }) => id },
  { id: 'created', header: 'created', cell: ({ timeCreated }) => <DateTime date={timeCreated} /> },
]
const changed = () => Promise.all([reload(receiverKind), invalidate(webhookSecretsList)])

/** The secrets that sign the requests to a receiver. Their values are never shown again. */
export function Secrets({ receiver }: { receiver: ReceiverBy<'webhook'> }) {
  const { secrets } = receiver.kind
  const [isAdding, setAdding] = useState(false)
  const { lacks } = useRole(...roleScope(receiverKind, {}))
  const isLast = secrets.length === 1
  const remove: Action<Secret> = {
    id: 'delete',
    label: 'Delete',
    role: roleFor(webhookSecretsDelete),
    isDanger: true,
    confirm: {
      noun: 'secret',
      labelOf: ({ id }) => id,
      verb: 'delete',
      done: 'deleted',
      isDanger: true,
      note: () =>
        isLast
          ? 'It is the last one: nothing is sent to the receiver until it has another.'
          : 'Requests are no longer signed with it.',
      request: ({ id }) => requestTo(webhookSecretsDelete, { params: { secretId: id } }),
      after: changed,
    },
  }
  const { menu } = useActions([copyId('secret'), remove], {}, roleScope(receiverKind, {}))
  const role = roleFor(webhookSecretsAdd)
  return (
    <Card
      flush
      title="Secrets"
      description="Each request has a signature by each of them. To replace one, add the new one first."
      actions={
        <Button disabledReason={role && lacks(role)} onClick={() => setAdding(true)}>
          Add secret
        </Button>
      }
    >
      <Table
        label="Secrets"
        className="rounded-none border-0"
        columns={columns}
        rows={secrets}
        rowKey={({ id }) => id}
        actions={(row) => <RowMenu items={menu(row)} />}
      />
      {isAdding && <AddSecret receiver={receiver} onDismiss={() => setAdding(false)} />}
    </Card>
  )
}

function AddSecret({ receiver, onDismiss }: { receiver: Receiver; onDismiss: () => void }) {
  const form = useForm({ defaultValues: { secret: '' } })
  const request = (body: { secret: string }) =>
    requestTo(webhookSecretsAdd, { query: { receiver: receiver.name }, body })
  const add = async (body: { secret: string }) => {
    const { id } = await sendRequest(request(body))
    await changed()
    showDoneToast('Secret', id, 'added')
    onDismiss()
  }
  return (
    <ModalForm
      title="Add secret"
      submitLabel="Add"
      form={form}
      onSubmit={add}
      request={request}
      onDismiss={onDismiss}
    >
      <TextControl
        name="secret"
        label="Secret"
        control={form.control}
        required
        maxLength={alertLimits.secret}
        hint="It is not shown again."
      />
    </ModalForm>
  )
}

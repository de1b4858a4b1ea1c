import {
  alertReceiverSubscriptionAdd,
  alertReceiverSubscriptionRemove,
} from '@purlin/contract/operations/alerts/receivers'
import { alertClasses, matchesClass, subscriptionProblem } from '@purlin/contract/rules/alerts/classes'
import { useState } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import { requestTo, sendRequest } from '#/api/request.ts'
import { useActions, type Action } from '#/resource/actions/actions.tsx'
import { ModalForm } from '#/resource/form/ModalForm.tsx'
import { reload, roleFor, roleScope } from '#/resource/kind.ts'
import { useRole } from '#/resource/role/useRole.ts'
import { Button } from '#/ui/button/Button.tsx'
import { TextControl } from '#/ui/form/TextControl.tsx'
import { Card } from '#/ui/layout/Card.tsx'
import { RowMenu } from '#/ui/overlay/RowMenu.tsx'
import type { Column } from '#/ui/table/columns.ts'
import { Table } from '#/ui/table/Table.tsx'
import { receiver as receiverKind, type Receiver } from '../kinds.ts'
import { MatchedClasses } from './MatchedClasses.tsx'

interface Row {
  subscription: string
}
const columns: readonly Column<Row>[] = [
  {
    id: 'subscription',
    header: 'subscription',
    mono: true,
    isRowHeader: true,
    cell: (row) => row.subscription,
  },
  {
    id: 'classes',
    header: 'classes',
    cell: ({ subscription }) => (
      <span className="mono inline-block min-w-56 py-1 wrap-anywhere whitespace-normal text-secondary">
        {alertClasses
          .filter(({ name }) => matchesClass(subscription, name))
          .map(({ name }) => name)
          .join(', ') || 'none that there is now'}
      </span>
    ),
  },
]

/** The classes of alerts that a receiver gets. */
export function Subscriptions({ receiver }: { receiver: Receiver }) {
  const [isAdding, setAdding] = useState(false)
  const { lacks } = useRole(...roleScope(receiverKind, {}))
  const remove: Action<Row> = {
    id: 'remove',
    label: 'Remove',
    role: roleFor(alertReceiverSubscriptionRemove),
    isDanger: true,
    confirm: {
      noun: 'subscription',
      labelOf: (row) => row.subscription,
      verb: 'remove',
      done: 'removed',
      isDanger: true,
      note: () => 'The receiver no longer gets alerts of these classes.',
      request: ({ subscription }) =>
        requestTo(alertReceiverSubscriptionRemove, { params: { receiver: receiver.name, subscription } }),
      after: () => reload(receiverKind),
    },
  }
  const { menu } = useActions([remove], {}, roleScope(receiverKind, {}))
  const role = roleFor(alertReceiverSubscriptionAdd)
  return (
    <Card
      flush
      title="Subscriptions"
      description="The receiver gets the alerts of these classes, and of later classes that a glob matches."
      actions={
        <Button disabledReason={role && lacks(role)} onClick={() => setAdding(true)}>
          Add subscription
        </Button>
      }
    >
      <Table
        label="Subscriptions"
        className="rounded-none border-0"
        columns={columns}
        rows={receiver.subscriptions.map((subscription) => ({ subscription }))}
        rowKey={({ subscription }) => subscription}
        actions={(row) => <RowMenu items={menu(row)} />}
      />
      {isAdding && <AddSubscription receiver={receiver} onDismiss={() => setAdding(false)} />}
    </Card>
  )
}

function AddSubscription({ receiver, onDismiss }: { receiver: Receiver; onDismiss: () => void }) {
  const form = useForm({ defaultValues: { subscription: '' } })
  const text = useWatch({ control: form.control, name: 'subscription' })
  const request = ({ subscription }: Row) =>
    requestTo(alertReceiverSubscriptionAdd, {
      params: { receiver: receiver.name },
      body: { subscription: subscription.trim() },
    })
  const add = async (row: Row) => {
    await sendRequest(request(row))
    await reload(receiverKind)
    onDismiss()
  }
  return (
    <ModalForm
      title="Add subscription"
      submitLabel="Add"
      form={form}
      onSubmit={add}
      request={request}
      onDismiss={onDismiss}
    >
      <TextControl
        name="subscription"
        label="Class or glob"
        control={form.control}
        required
        hint="* is one part of a class, ** is one or more."
        validate={(value) => subscriptionProblem(value.trim())}
      />
      <MatchedClasses text={text} />
    </ModalForm>
  )
}

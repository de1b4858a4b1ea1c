import {
  currentUserRecoveryCodesReplace,
  currentUserRecoveryCodesView,
  currentUserSecondFactorDelete,
  currentUserSecondFactorList,
} from '@purlin/contract/operations/access/second-factors'
import type { Result } from '@purlin/contract/op'
import { countOf } from '@purlin/contract/rules/kinds'
import type { FactorType } from '@purlin/contract/rules/credentials/second-factors'
import ShieldCheck from 'lucide-react/icons/shield-check'
import { useState } from 'react'
import { invalidate } from '#/api/query.ts'
import { requestTo, sendRequest } from '#/api/request.ts'
import { confirmAction } from '#/resource/actions/confirm.ts'
import { useLoaded } from '#/resource/form/useLoaded.ts'
import { useLocalSilo } from '#/resource/role/useLocalSilo.ts'
import { RecoveryCodes } from '#/shell/second-factor/RecoveryCodes.tsx'
import { Button } from '#/ui/button/Button.tsx'
import { EmptyState } from '#/ui/feedback/EmptyState.tsx'
import { Notice } from '#/ui/feedback/Notice.tsx'
import { addToast } from '#/ui/feedback/toast.ts'
import { Card } from '#/ui/layout/Card.tsx'
import { PageHeader } from '#/ui/layout/PageHeader.tsx'
import { Modal, ModalSection } from '#/ui/overlay/Modal.tsx'
import { RowMenu } from '#/ui/overlay/RowMenu.tsx'
import type { Column } from '#/ui/table/columns.ts'
import { Table } from '#/ui/table/Table.tsx'
import { DateTime } from '#/ui/value/DateTime.tsx'
import { AddFactorDialog } from './AddFactorDialog.tsx'
import { signInSettings } from '#/features/access/tokens/settings.ts'
import { codesQuery, factorsQuery } from './queries.ts'
import { RenameDialog } from './RenameDialog.tsx'

type Factor = Result<typeof currentUserSecondFactorList>['items'][number]

const typeNames: Record<FactorType, string> = { totp: 'App with codes', passkey: 'Passkey' }

const columns: readonly Column<Factor>[] = [
  { id: 'name', header: 'name', isRowHeader: true, cell: ({ name }) => <span className="mono">{name}</span> },
  { id: 'type', header: 'type', cell: ({ type }) => typeNames[type] },
  { id: 'created', header: 'created', cell: ({ timeCreated }) => <DateTime date={timeCreated} /> },
  {
    id: 'used',
    header: 'last used',
    cell: ({ timeLastUsed }) =>
      timeLastUsed ? <DateTime date={timeLastUsed} /> : <span className="text-secondary">Never</span>,
  },
]

const reloaded = () => invalidate(currentUserSecondFactorList, currentUserRecoveryCodesView)

/** How the signed-in user proves more than the password: apps, passkeys and recovery codes. */
export function SecondFactor() {
  const { silo, isPending } = useLocalSilo()
  return (
    <>
      <PageHeader icon={<ShieldCheck />} title="Second Factor" />
      {silo === undefined && !isPending ? (
        <EmptyState
          icon={<ShieldCheck />}
          title="Your identity provider decides"
          body="You sign in with your organization’s identity provider, which may ask for a second factor itself."
        />
      ) : (
        <Factors />
      )}
    </>
  )
}

function Factors() {
  const { items } = useLoaded(factorsQuery)
  const { secondFactorRequired = false } = useLoaded(signInSettings)
  const [adding, setAdding] = useState<FactorType>()
  const [renaming, setRenaming] = useState<Factor>()
  const [codes, setCodes] = useState<readonly string[]>()
  const added = async (made: readonly string[]) => {
    setAdding(undefined)
    if (made.length > 0) setCodes(made)
    addToast({ content: 'Second factor added' })
    await reloaded()
  }
  const isLast = secondFactorRequired && items.length === 1
  return (
    <div className="flex flex-col gap-6">
      {secondFactorRequired && items.length === 0 && (
        <Notice title="Your silo requires a second factor">
          Add one now. Otherwise you are asked to add it at your next sign-in.
        </Notice>
      )}
      <Card
        title="Factors"
        description="After your password, a sign-in asks for one of them."
        actions={
          <>
            <Button onClick={() => setAdding('totp')}>Add app</Button>
            <Button onClick={() => setAdding('passkey')}>Add passkey</Button>
          </>
        }
      >
        {items.length === 0 ? (
          <p className="text-secondary">None. Your password alone signs you in.</p>
        ) : (
          <Table
            label="Factors"
            columns={columns}
            rows={items}
            rowKey={({ id }) => id}
            actions={(factor) => (
              <RowMenu
                items={[
                  { label: 'Rename', onAction: () => setRenaming(factor) },
                  {
                    label: 'Delete',
                    onAction: () => askDelete(factor, items.length === 1),
                    disabledReason: isLast
                      ? 'Your silo requires a second factor. Add another one first.'
                      : undefined,
                  },
                ]}
              />
            )}
          />
        )}
      </Card>
      {items.length > 0 && <Codes onMade={setCodes} />}
      {adding && <AddFactorDialog type={adding} onAdded={added} onDismiss={() => setAdding(undefined)} />}
      {renaming && <RenameDialog id={renaming.id} onDismiss={() => setRenaming(undefined)} />}
      {codes && <CodesDialog codes={codes} onDismiss={() => setCodes(undefined)} />}
    </div>
  )
}

function askDelete({ name }: Factor, isOnly: boolean): void {
  confirmAction({
    request: requestTo(currentUserSecondFactorDelete, { params: { factor: name } }),
    doAction: async () => {
      await reloaded()
      addToast({ content: `Second factor ${name} deleted` })
    },
    modalTitle: 'Delete second factor',
    modalContent: isOnly ? (
      <p>
        Delete <b className="font-semibold">{name}</b>? Your password alone signs you in then, and your
        recovery codes are void.
      </p>
    ) : (
      <p>
        Delete <b className="font-semibold">{name}</b>? It cannot be used to sign in any more.
      </p>
    ),
    errorTitle: 'Could not delete the second factor',
    actionType: 'danger',
  })
}

function Codes({ onMade }: { onMade: (codes: readonly string[]) => void }) {
  const { left } = useLoaded(codesQuery)
  const request = requestTo(currentUserRecoveryCodesReplace, {})
  const replace = () =>
    confirmAction({
      command: request,
      doAction: async () => {
        const { codes } = await sendRequest(request)
        await reloaded()
        onMade(codes)
      },
      modalTitle: 'Replace recovery codes',
      confirmLabel: 'Replace codes',
      modalContent: <p>Replace the recovery codes? The present ones are void then.</p>,
      errorTitle: 'Could not replace recovery codes',
      actionType: 'primary',
    })
  return (
    <Card
      title="Recovery codes"
      description="Each signs you in once, in place of a factor that you have lost."
      actions={<Button onClick={replace}>Replace codes</Button>}
    >
      <p>{countOf(left, 'code')} left.</p>
    </Card>
  )
}

function CodesDialog({ codes, onDismiss }: { codes: readonly string[]; onDismiss: () => void }) {
  return (
    <Modal
      title="Recovery codes"
      onDismiss={onDismiss}
      footer={
        <Button variant="primary" onClick={onDismiss}>
          I have kept them
        </Button>
      }
    >
      <ModalSection className="text-ink">
        <RecoveryCodes codes={codes} />
      </ModalSection>
    </Modal>
  )
}

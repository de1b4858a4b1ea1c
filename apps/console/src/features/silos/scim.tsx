import {
  scimTokenDelete,
  scimTokenDeleteAll,
  scimTokenList,
} from '@purlin/contract/operations/access/scim-tokens'
import { useQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import KeySquare from 'lucide-react/icons/key-square'
import { useState } from 'react'
import { failure } from '#/api/errors.ts'
import { invalidate, query } from '#/api/query.ts'
import { requestTo } from '#/api/request.ts'
import { ApiError } from '#/api/send.ts'
import { askOne } from '#/resource/actions/askOne.tsx'
import { confirmAction } from '#/resource/actions/confirm.ts'
import type { Confirmation } from '#/resource/actions/confirmation.tsx'
import { copyWithToast } from '#/resource/actions/copyWithToast.ts'
import { viewQuery } from '#/resource/kind.ts'
import { kinds } from '#/resource/kinds.ts'
import { tokenColumns } from '#/resource/list/tokenColumns.tsx'
import { useLoaded } from '#/resource/form/useLoaded.ts'
import { NewButton } from '#/ui/button/NewButton.tsx'
import { Button } from '#/ui/button/Button.tsx'
import { CopyModal, CopyText } from '#/ui/overlay/CopyModal.tsx'
import { EmptyState } from '#/ui/feedback/EmptyState.tsx'
import { FormErrorBanner } from '#/ui/form/FormErrorBanner.tsx'
import { Highlight } from '#/ui/value/Highlight.tsx'
import { Notice } from '#/ui/feedback/Notice.tsx'
import { CreateScimToken } from './CreateScimToken.tsx'
import { RowMenu } from '#/ui/overlay/RowMenu.tsx'
import { Table } from '#/ui/table/Table.tsx'

export const Route = createFileRoute('/_auth/system/_silo-pages/silos/$silo/scim')({
  staticData: { crumb: { label: 'SCIM' } },
  component: ScimTab,
})

/** The dialog that is open: the form, or the new token. */
type Creation = { at: 'form' } | { at: 'made'; secret: string }

const tokens = (silo: string) => ({ ...query(scimTokenList, { query: { silo } }), throwOnError: false })

/** The tokens with which a program manages the users and groups of the silo. */
function ScimTab() {
  const { silo } = Route.useParams()
  const { identityMode } = useLoaded(viewQuery(kinds.silo, silo))
  if (identityMode !== 'saml_scim')
    return (
      <Notice>
        The users of this silo are not managed by SCIM. That is decided when a silo is created, by its
        identity mode.
      </Notice>
    )
  return <Tokens silo={silo} />
}

function Tokens({ silo }: { silo: string }) {
  const { data, error, refetch } = useQuery(tokens(silo))
  const [creation, setCreation] = useState<Creation>()
  if (error instanceof ApiError && error.status === 403)
    return (
      <Notice title="You do not have permission to view SCIM tokens">
        Only admins of the fleet and of the silo may.
      </Notice>
    )
  if (error && !data)
    return (
      <div className="flex flex-col items-start gap-3">
        <FormErrorBanner issues={[failure(error)]} />
        <Button onClick={() => void refetch()}>Try again</Button>
      </div>
    )
  const create = <NewButton onClick={() => setCreation({ at: 'form' })}>Create token</NewButton>
  return (
    <>
      {data?.length === 0 ? (
        <EmptyState
          icon={<KeySquare />}
          title="No SCIM tokens"
          body="Create one and give it to the program that manages the users and groups of the silo."
          action={create}
        />
      ) : (
        <>
          <div className="mb-3 flex justify-end gap-2">
            <Button onClick={() => askToDeleteAll(silo)}>Delete all</Button>
            {create}
          </div>
          <Table
            label="SCIM tokens"
            columns={tokenColumns}
            rows={data ?? []}
            rowKey={({ id }) => id}
            skeletonRows={data ? 0 : 3}
            actions={({ id }) => (
              <RowMenu
                items={[
                  { label: 'Copy token ID', onAction: () => void copyWithToast(id, 'Token ID') },
                  { label: 'Delete', danger: true, onAction: () => void askOne(deletionIn(silo), { id }) },
                ]}
              />
            )}
          />
        </>
      )}
      {creation?.at === 'form' && (
        <CreateScimToken
          silo={silo}
          onCreated={(secret) => setCreation({ at: 'made', secret })}
          onDismiss={() => setCreation(undefined)}
        />
      )}
      {creation?.at === 'made' && (
        <SecretDialog secret={creation.secret} onDismiss={() => setCreation(undefined)} />
      )}
    </>
  )
}

/** Shows a new token, which is not shown again. */
function SecretDialog({ secret, onDismiss }: { secret: string; onDismiss: () => void }) {
  return (
    <CopyModal
      title="SCIM token created"
      description="Copy the token now. It is shown only once."
      what="token"
      text={secret}
      onDismiss={onDismiss}
    >
      <CopyText label="Bearer token" text={secret} />
    </CopyModal>
  )
}

const deletionIn = (silo: string): Confirmation<{ id: string }> => ({
  noun: 'SCIM token',
  verb: 'delete',
  done: 'deleted',
  isDanger: true,
  note: () => 'The program that uses it can no longer manage users and groups.',
  request: ({ id }) => requestTo(scimTokenDelete, { params: { tokenId: id }, query: { silo } }),
  after: () => invalidate(scimTokenList),
})

const askToDeleteAll = (silo: string) =>
  confirmAction({
    modalTitle: 'Delete all SCIM tokens',
    modalContent: (
      <p>
        All SCIM tokens of silo <Highlight>{silo}</Highlight> are deleted. Programs that use them can no
        longer manage users and groups. This cannot be undone.
      </p>
    ),
    errorTitle: 'Could not delete the SCIM tokens',
    actionType: 'danger',
    request: requestTo(scimTokenDeleteAll, { query: { silo } }),
    doAction: async () => {
      await invalidate(scimTokenList)
    },
  })

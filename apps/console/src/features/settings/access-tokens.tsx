import {
  currentUserAccessTokenDelete,
  currentUserAccessTokenList,
} from '@purlin/contract/operations/access/access-tokens'
import { createFileRoute } from '@tanstack/react-router'
import KeySquare from 'lucide-react/icons/key-square'
import { invalidate, prefetch } from '#/api/query.ts'
import { send } from '#/api/send.ts'
import { type AccessToken, tokenColumns } from '#/resource/list/tokenColumns.tsx'
import { guides, paths } from '#/lib/addresses.ts'
import { confirmAction } from '#/resource/actions/confirm.ts'
import { copyWithToast } from '#/resource/actions/copyWithToast.ts'
import { listPage } from '#/resource/list/listPage.ts'
import { pagingSearch, type PagingSearch } from '#/resource/list/paging.ts'
import { QueryTable } from '#/resource/list/QueryTable.tsx'
import { usePageOptions } from '#/resource/list/usePageOptions.ts'
import { DocsPopover } from '#/ui/overlay/DocsPopover.tsx'
import { EmptyState } from '#/ui/feedback/EmptyState.tsx'
import { Highlight } from '#/ui/value/Highlight.tsx'
import { PageHeader } from '#/ui/layout/PageHeader.tsx'
import { RowMenu } from '#/ui/overlay/RowMenu.tsx'
import { addToast } from '#/ui/feedback/toast.ts'

const tokens = (search: PagingSearch) => listPage(currentUserAccessTokenList, {}, search)

export const Route = createFileRoute('/_auth/settings/access-tokens')({
  validateSearch: pagingSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ deps }) => prefetch(tokens(deps)),
  staticData: { crumb: { label: 'Access Tokens', to: () => paths.accessTokens } },
  component: AccessTokensPage,
})

const askToDelete = (id: string) =>
  confirmAction({
    modalTitle: 'Delete access token',
    modalContent: (
      <>
        <p>
          Are you sure you want to delete access token <Highlight>{id}</Highlight>?
        </p>
        <p className="mt-2">This cannot be undone. Whatever signs in with the token needs a new one.</p>
      </>
    ),
    errorTitle: 'Could not delete the access token',
    actionType: 'danger',
    doAction: async () => {
      await send(currentUserAccessTokenDelete, { params: { tokenId: id } })
      await invalidate(currentUserAccessTokenList)
      addToast({
        content: (
          <>
            Access token <Highlight>{id}</Highlight> deleted
          </>
        ),
      })
    },
  })

/** The access tokens of the signed-in person. */
function AccessTokensPage() {
  const options = usePageOptions(
    currentUserAccessTokenList,
    {},
    {
      type: 'device-access-token',
      columns: tokenColumns,
    },
  )
  return (
    <>
      <PageHeader icon={<KeySquare />} title="Access Tokens">
        {options.button}
        <DocsPopover
          topic="access tokens"
          icon={<KeySquare />}
          summary="Command line tools and programs sign in with access tokens. A program gets one when you enter the code that it shows. Review and delete your tokens here."
          links={[guides.accessTokens]}
        />
      </PageHeader>
      <QueryTable<AccessToken>
        label="Access tokens"
        query={options.query}
        columns={options.columns}
        actions={({ id }) => (
          <RowMenu
            items={[
              { label: 'Copy ID', onAction: () => void copyWithToast(id, 'Access token ID') },
              { label: 'Delete', danger: true, onAction: () => askToDelete(id) },
            ]}
          />
        )}
        empty={
          <EmptyState icon={<KeySquare />} title="No access tokens" body="Tokens of programs appear here." />
        }
      />
    </>
  )
}

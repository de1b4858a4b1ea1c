import type { currentUserAccessTokenList } from '@purlin/contract/operations/access/access-tokens'
import { createFileRoute } from '@tanstack/react-router'
import { guides } from '#/lib/addresses.ts'
import { plainActions } from '#/resource/actions/actions.tsx'
import { listRoute } from '#/resource/address/routeOptions.tsx'
import { kinds } from '#/resource/kinds.ts'
import { loadList, ResourceList, type ListOf } from '#/resource/list/ResourceList.tsx'
import { tokenColumns } from '#/resource/list/tokenColumns.tsx'
import { NewAccessToken } from './NewAccessToken.tsx'

export const Route = createFileRoute('/_auth/settings/_access-tokens')({
  ...listRoute(kinds.accessToken),
  loader: (match) => loadList(accessTokens, match),
  component: () => <ResourceList list={accessTokens} />,
})

/** The access tokens of the signed-in user. */
const accessTokens: ListOf<typeof currentUserAccessTokenList> = {
  kind: kinds.accessToken,
  label: 'Access tokens',
  docs: {
    summary:
      'Command line tools and programs sign in with access tokens. Make one here, or enter the code that a program shows. Delete those that are not used.',
    links: [guides.accessTokens],
  },
  create: { dialog: (close) => <NewAccessToken onDismiss={close} /> },
  emptyBody: 'Make one for a script, or sign in with a program: its token appears here.',
  actions: () =>
    plainActions(
      kinds.accessToken,
      {},
      {
        isForMany: true,
        note: ({ length }) =>
          `Whatever signs in with ${length === 1 ? 'the token' : 'them'} needs a new one.`,
      },
    ),
  columns: () => tokenColumns,
}

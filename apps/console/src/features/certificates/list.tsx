import { certificateList } from '@purlin/contract/operations/silos/certificates'
import { createFileRoute } from '@tanstack/react-router'
import type { Item } from '#/api/everyPage.ts'
import { send } from '#/api/send.ts'
import { guides } from '#/lib/addresses.ts'
import { plainActions } from '#/resource/actions/actions.tsx'
import { descriptionColumn, nameColumn } from '#/resource/list/columns.tsx'
import { kinds } from '#/resource/kinds.ts'
import { loadList, ResourceList, type ListOf } from '#/resource/list/ResourceList.tsx'
import { listRoute } from '#/resource/address/routeOptions.tsx'
import { useRole } from '#/resource/role/useRole.ts'
import { DateTime } from '#/ui/value/DateTime.tsx'
import { Notice } from '#/ui/feedback/Notice.tsx'
import { Truncate } from '#/ui/value/Truncate.tsx'
import { ExpiryBadge } from './Expiry.tsx'

export const Route = createFileRoute('/_auth/_silo/_access-tabs/_certificates')({
  ...listRoute(kinds.certificate),
  loader: (match) => loadList(certificates, match),
  component: Certificates,
})

type Certificate = Item<typeof certificateList>

/** The certificates of the silo, for its administrators. */
function Certificates() {
  const reason = useRole().lacks('admin')
  return reason ? <Notice>{reason}</Notice> : <ResourceList list={certificates} />
}

/** Warns before nothing is left that the host name of the silo can be served with. */
async function lastNote(rows: readonly Certificate[]) {
  const { items } = await send(certificateList, { query: { limit: rows.length + 1 } })
  const isLast = items.every(({ id }) => rows.some((row) => row.id === id))
  return isLast
    ? 'The silo has no other certificate: without one, its host name cannot be reached over TLS.'
    : undefined
}

const certificates: ListOf<typeof certificateList> = {
  kind: kinds.certificate,
  label: 'Certificates',
  isTab: true,
  heading: 'TLS certificates',
  docs: {
    summary:
      'Connections to the host name of the silo are answered with its certificate. Of several, the one that expires last is used: to replace one, add the new one and delete the old one.',
    links: [guides.certificates],
  },
  create: { label: 'Add certificate', paletteLabel: 'Add certificate', role: 'admin' },
  emptyBody: 'Add one for the host name of the silo, so that it can be reached over TLS.',
  actions: () => plainActions(kinds.certificate, {}, { note: lastNote }),
  columns: () => [
    nameColumn(kinds.certificate, {}),
    descriptionColumn,
    {
      id: 'state',
      header: 'state',
      cell: ({ notBefore, notAfter }) => <ExpiryBadge notBefore={notBefore} notAfter={notAfter} />,
    },
    {
      id: 'expires',
      header: 'expires',
      cell: ({ notAfter }) => notAfter && <DateTime date={notAfter} />,
    },
    {
      id: 'names',
      header: 'host names',
      cell: ({ dnsNames }) => <Truncate text={dnsNames?.join(', ') ?? ''} max={40} className="mono" />,
    },
  ],
}

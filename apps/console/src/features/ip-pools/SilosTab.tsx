import { useQueries } from '@tanstack/react-query'
import Boxes from 'lucide-react/icons/boxes'
import { useActions } from '#/resource/actions/actions.tsx'
import { kinds } from '#/resource/kinds.ts'
import { nameQuery, nameStaleMs } from '#/resource/form/names.ts'
import { useLoaded } from '#/resource/form/useLoaded.ts'
import { sections } from '#/lib/addresses.ts'
import { CellLink } from '#/ui/table/CellLink.tsx'
import { RowMenu } from '#/ui/overlay/RowMenu.tsx'
import type { Column } from '#/ui/table/columns.ts'
import { linkActions, type LinkedSilo } from './linkActions.tsx'
import { defaultCell, LinkList, linkScope } from './LinkList.tsx'
import { LinkSiloDialog } from './LinkSiloDialog.tsx'
import { linksQuery } from './operatorQueries.ts'

/** The silos that may use a pool. */
export function SilosTab({ pool }: { pool: string }) {
  const links = useLoaded(linksQuery(pool))
  const names = useQueries({
    queries: links.map(({ siloId }) => ({
      ...nameQuery(kinds.silo, siloId),
      staleTime: nameStaleMs,
      throwOnError: false,
    })),
  })
  const { menu } = useActions(linkActions(pool), {}, linkScope)
  const rows = links
    .map((link, i) => ({ ...link, name: names[i]?.data?.name ?? link.siloId }))
    .toSorted((a, b) => a.name.localeCompare(b.name))
  return (
    <LinkList
      label="Linked silos"
      addLabel="Link silo"
      empty={{
        icon: <Boxes />,
        title: 'No linked silos',
        body: 'Link the pool to a silo so that its users can allocate addresses from it.',
      }}
      columns={columns}
      rows={rows}
      rowKey={({ siloId }) => siloId}
      actions={(silo) => <RowMenu items={menu(silo)} />}
      dialog={(onDismiss) => (
        <LinkSiloDialog pool={pool} linked={links.map(({ siloId }) => siloId)} onDismiss={onDismiss} />
      )}
    />
  )
}

const columns: readonly Column<LinkedSilo>[] = [
  {
    id: 'silo',
    header: 'Silo',
    cell: ({ name }) => <CellLink href={sections.silo.view({ name })}>{name}</CellLink>,
  },
  {
    id: 'default',
    header: 'Pool is silo default',
    tip: 'The default pool is used when a request does not name a pool.',
    cell: defaultCell,
  },
]

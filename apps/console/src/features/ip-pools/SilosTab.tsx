import { useQueries } from '@tanstack/react-query'
import Boxes from 'lucide-react/icons/boxes'
import Check from 'lucide-react/icons/check'
import { useState } from 'react'
import { useActions } from '#/resource/actions.tsx'
import { kinds, roleScope } from '#/resource/kinds.ts'
import { nameQuery, nameStaleMs } from '#/resource/names.ts'
import { useLoaded } from '#/resource/useLoaded.ts'
import { useRole } from '#/resource/useRole.ts'
import { sections } from '#/lib/addresses.ts'
import { CellLink } from '#/ui/table/CellLink.tsx'
import { Badge } from '#/ui/Badge.tsx'
import { Button } from '#/ui/Button.tsx'
import { EmptyState } from '#/ui/EmptyState.tsx'
import { RowMenu } from '#/ui/RowMenu.tsx'
import type { Column } from '#/ui/table/columns.ts'
import { Table } from '#/ui/table/Table.tsx'
import { linkActions, type LinkedSilo } from './linkActions.tsx'
import { LinkSiloDialog } from './LinkSiloDialog.tsx'
import { linksQuery } from './operatorQueries.ts'

/** The silos that may use a pool. */
export function SilosTab({ pool }: { pool: string }) {
  const [isLinking, setLinking] = useState(false)
  const links = useLoaded(linksQuery(pool))
  const names = useQueries({
    queries: links.map(({ siloId }) => ({
      ...nameQuery(kinds.silo, siloId),
      staleTime: nameStaleMs,
      throwOnError: false,
    })),
  })
  const scope = roleScope(kinds.ipPool, {})
  const { lacks } = useRole(...scope)
  const { menu } = useActions(linkActions(pool), {}, scope)
  const rows = links
    .map((link, i) => ({ ...link, name: names[i]?.data?.name ?? link.siloId }))
    .toSorted((a, b) => a.name.localeCompare(b.name))
  const button = (
    <Button variant="primary" disabledReason={lacks('admin')} onClick={() => setLinking(true)}>
      Link silo
    </Button>
  )
  return (
    <>
      {rows.length === 0 ? (
        <EmptyState
          icon={<Boxes />}
          title="No linked silos"
          body="Link the pool to a silo so that its users can allocate addresses from it."
          action={button}
        />
      ) : (
        <>
          <div className="mb-3 flex justify-end">{button}</div>
          <Table
            label="Linked silos"
            columns={columns}
            rows={rows}
            rowKey={({ siloId }) => siloId}
            actions={(silo) => <RowMenu items={menu(silo)} />}
          />
        </>
      )}
      {isLinking && (
        <LinkSiloDialog
          pool={pool}
          linked={links.map(({ siloId }) => siloId)}
          onDismiss={() => setLinking(false)}
        />
      )}
    </>
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
    tip: 'The default pool is used where the users of the silo name none.',
    cell: ({ isDefault }) =>
      isDefault && (
        <span className="inline-flex items-center gap-2">
          <Check size={14} aria-hidden />
          <Badge>default</Badge>
        </span>
      ),
  },
]

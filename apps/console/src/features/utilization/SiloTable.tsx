import { siloQuotasUpdate } from '@purlin/contract/operations/silos/system-silos'
import { GiB, TiB } from '@purlin/contract/rules/limits'
import { quotaLevel } from '@purlin/contract/rules/quotas'
import { useState } from 'react'
import { paths, sections } from '#/lib/addresses.ts'
import { twoDecimals } from '#/lib/format.ts'
import { inSentence } from '#/lib/text.ts'
import { copyWithToast } from '#/resource/actions/copyWithToast.ts'
import { roleFor, roleScope } from '#/resource/kind.ts'
import { kinds } from '#/resource/kinds.ts'
import { ListSearch } from '#/resource/list/ListSearch.tsx'
import { usePaging } from '#/resource/list/paging.ts'
import { useRole } from '#/resource/role/useRole.ts'
import { Button } from '#/ui/button/Button.tsx'
import { RowMenu } from '#/ui/overlay/RowMenu.tsx'
import { CellLink } from '#/ui/table/CellLink.tsx'
import type { Column } from '#/ui/table/columns.ts'
import { Table } from '#/ui/table/Table.tsx'
import { Tooltip } from '#/ui/overlay/Tooltip.tsx'
import type { Resource } from './quota.ts'
import { orderOf, shownSilos, type Silo } from './siloRows.ts'

const resources: readonly { key: Resource; title: string; unit: string; per: number }[] = [
  { key: 'cpus', title: 'CPU', unit: '', per: 1 },
  { key: 'memory', title: 'Memory', unit: 'GiB', per: GiB },
  { key: 'storage', title: 'Storage', unit: 'TiB', per: TiB },
]

const columns: readonly Column<Silo>[] = [
  {
    id: 'silo',
    header: 'Silo',
    order: 'name',
    cell: ({ siloName }) => <CellLink href={sections.silo.view({ name: siloName })}>{siloName}</CellLink>,
  },
  ...resources.map(({ key, title, unit, per }) => ({
    id: `used-${key}`,
    header: title,
    group: 'Provisioned / Quota',
    order: orderOf.used(key),
    mono: true,
    cell: ({ provisioned, allocated }: Silo) => (
      <>
        {twoDecimals(provisioned[key] / per)}{' '}
        <span className="text-secondary">
          / {twoDecimals(Number(allocated[key]) / per)} {unit}
        </span>
      </>
    ),
  })),
  ...resources.map(({ key, title, unit, per }) => ({
    id: `left-${key}`,
    spare: 1,
    header: `${inSentence(title)} left`,
    group: 'Available',
    order: orderOf.left(key),
    mono: true,
    cell: (silo: Silo) => <Left silo={silo} of={key} unit={unit} per={per} />,
  })),
]

/** The free part of a quota; negative if it was lowered below its use. */
function Left({ silo, of, unit, per }: { silo: Silo; of: Resource; unit: string; per: number }) {
  const [used, quota] = [silo.provisioned[of], Number(silo.allocated[of])]
  const level = quotaLevel(used, quota)
  return (
    <span className="inline-flex items-center gap-2">
      <span className={used > quota ? 'text-danger' : undefined}>
        {twoDecimals((quota - used) / per)} <span className="text-secondary">{unit}</span>
      </span>
      {level !== 'fine' && <Meter used={used} quota={quota} level={level} />}
    </span>
  )
}

function Meter({ used, quota, level }: { used: number; quota: number; level: 'warning' | 'critical' }) {
  const percent = quota > 0 ? Math.round((100 * used) / quota) : 100
  const words = `${percent}% used`
  return (
    <Tooltip content={words} describes={false}>
      <span
        role="img"
        aria-label={words}
        className="flex h-6 w-1.5 flex-col justify-end overflow-hidden rounded-[2px] border border-line bg-sunken"
      >
        <span
          className={level === 'critical' ? 'bg-danger' : 'bg-busy'}
          style={{ height: `${Math.min(100, percent)}%` }}
        />
      </span>
    </Tooltip>
  )
}

const atFirst = 100

/** Each silo's use of its quotas. */
export function SiloTable({ silos }: { silos: readonly Silo[] | undefined }) {
  const [shown, setShown] = useState(atFirst)
  const { lacks } = useRole(...roleScope(kinds.silo, {}))
  const { search, sort, setSort } = usePaging()
  const found = silos && shownSilos(silos, search.find ?? '', sort)
  const rows = found?.slice(0, shown) ?? []
  return (
    <>
      {silos && silos.length > 0 && (
        <div className="mb-3 flex">
          <ListSearch label="silos" />
        </div>
      )}
      <Table
        label="Utilization by silo"
        columns={columns}
        rows={rows}
        rowKey={({ siloId }) => siloId}
        sort={sort}
        onSort={setSort}
        skeletonRows={silos ? 0 : 3}
        actions={({ siloId, siloName }) => (
          <RowMenu
            items={[
              { label: 'Copy silo ID', onAction: () => void copyWithToast(siloId, 'Silo ID') },
              {
                label: 'Edit quotas',
                href: paths.siloQuotasEdit(siloName),
                disabledReason: lacks(roleFor(siloQuotasUpdate) ?? 'admin'),
              },
            ]}
          />
        )}
      />
      {found?.length === 0 && <p className="mt-3 text-secondary">No silo matches.</p>}
      {found && found.length > shown && (
        <div className="mt-3">
          <Button onClick={() => setShown(shown + atFirst)}>Show more of {found.length} silos</Button>
        </div>
      )}
    </>
  )
}

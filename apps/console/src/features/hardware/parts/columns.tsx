/** Columns and cells that lists of hardware share. */
import { pageOf } from '#/resource/address/pageOf.ts'
import { Dash } from '#/ui/value/Dash.tsx'
import { DateTime } from '#/ui/value/DateTime.tsx'
import { CellLink } from '#/ui/table/CellLink.tsx'
import { UiLink } from '#/ui/button/link.tsx'
import type { Column } from '#/ui/table/columns.ts'
import { shortId } from '#/lib/text.ts'

/** An id, shortened for the eye. */
export const ShortId = ({ id }: { id: string }) => (
  <span className="mono">
    <span aria-hidden>{shortId(id)}</span>
    <span className="sr-only">{id}</span>
  </span>
)

type Hardware = 'rack' | 'sled' | 'physicalDisk' | 'switch'

/** The id, as a link to the page. */
export const idColumn = (kind: Hardware): Column<{ id: string }> => ({
  id: 'id',
  header: 'id',
  cell: ({ id }) => (
    <CellLink href={pageOf(kind, { name: '', id })}>
      <ShortId id={id} />
    </CellLink>
  ),
})

/** The serial number names hardware to people. */
export const serialColumn = <R,>(of: (row: R) => string | undefined): Column<R> => ({
  id: 'serial_number',
  header: 'serial number',
  isRowHeader: true,
  order: 'serial_number',
  mono: true,
  cell: (row) => of(row) ?? <Dash />,
})

/** A link to a sled or rack by its id, with a better label if there is one. */
export const HardwareLink = ({
  kind,
  id,
  label,
}: {
  kind: Hardware
  id: string
  label?: string | undefined
}) => (
  <UiLink
    href={pageOf(kind, { name: '', id })}
    className="mono text-accent-text underline decoration-1 underline-offset-2 hover:decoration-2"
  >
    {label ?? <ShortId id={id} />}
  </UiLink>
)

export const reportedColumn: Column<{ timeReported?: Date | null | undefined }> = {
  id: 'reported',
  header: 'last report',
  spare: 2,
  cell: ({ timeReported }) => (timeReported ? <DateTime date={timeReported} /> : <Dash />),
}

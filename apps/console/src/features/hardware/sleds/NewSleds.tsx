import { sledAdd, sledListUninitialized } from '@purlin/contract/operations/hardware/hardware'
import { countOf } from '@purlin/contract/rules/kinds'
import { useQuery } from '@tanstack/react-query'
import { everyPage, type Item } from '#/api/everyPage.ts'
import { invalidate } from '#/api/query.ts'
import { requestTo } from '#/api/request.ts'
import { confirmAction } from '#/resource/actions/confirm.ts'
import { showDoneToast } from '#/resource/actions/toasts.tsx'
import { reload } from '#/resource/kind.ts'
import type { Column } from '#/ui/table/columns.ts'
import { Highlight } from '#/ui/value/Highlight.tsx'
import { physicalDisk, sled } from '../kinds.ts'
import { ActionCard } from '../parts/ActionCard.tsx'
import { HardwareLink, serialColumn } from '../parts/columns.tsx'
import { cubbyText } from '../parts/words.ts'

type NewSled = Item<typeof sledListUninitialized>

export const newSledsQuery = () => ({
  ...everyPage(sledListUninitialized, { query: {} }),
  throwOnError: false,
})

const columns: readonly Column<NewSled>[] = [
  serialColumn<NewSled>(({ baseboard }) => baseboard.serial),
  { id: 'part', header: 'part number', mono: true, cell: ({ baseboard }) => baseboard.part },
  { id: 'revision', header: 'revision', mono: true, cell: ({ baseboard }) => baseboard.revision },
  { id: 'place', header: 'place', cell: ({ cubby }) => cubbyText(cubby) },
  { id: 'rack', header: 'rack', cell: ({ rackId }) => <HardwareLink kind="rack" id={rackId} /> },
]

/** Sleds that are in a rack and are not part of the system yet. Nothing while there are none. */
export function NewSleds() {
  const found = useQuery(newSledsQuery()).data ?? []
  return (
    <ActionCard
      title={`${countOf(found.length, 'new sled')} found`}
      description="In a rack, but not part of the system: nothing runs there until you add it."
      label="New sleds"
      columns={columns}
      rows={found}
      rowKey={({ baseboard }) => `${baseboard.part} ${baseboard.serial}`}
      action={{ label: 'Add sled', op: sledAdd, kind: sled, onAction: askToAdd }}
    />
  )
}

function askToAdd({ baseboard: { part, serial }, cubby }: NewSled): void {
  confirmAction({
    modalTitle: 'Add sled',
    modalContent: (
      <>
        <p>
          Add sled <Highlight>{serial}</Highlight> in cubby {cubby}?
        </p>
        <p>
          Its disks are added with it. As soon as the sled has reported itself, new instances can start on it.
          It can be taken out of service later, for good.
        </p>
      </>
    ),
    errorTitle: 'Could not add sled',
    actionType: 'primary',
    request: requestTo(sledAdd, { body: { part, serial } }),
    doAction: async () => {
      await Promise.all([invalidate(sledListUninitialized), reload(sled), reload(physicalDisk)])
      showDoneToast('Sled', serial, 'added')
    },
  })
}

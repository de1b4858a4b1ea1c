import { siloMachineSizeList } from '@purlin/contract/operations/instances/machine-sizes'
import { filteredKindOf } from '@purlin/contract/schemas/page'
import Scaling from 'lucide-react/icons/scaling'
import { useState } from 'react'
import { sections } from '#/lib/addresses.ts'
import { copyWithToast } from '#/resource/actions/copyWithToast.ts'
import { QueryTable } from '#/resource/list/QueryTable.tsx'
import { usePageOptions } from '#/resource/list/usePageOptions.ts'
import { useRole } from '#/resource/role/useRole.ts'
import { NewButton } from '#/ui/button/NewButton.tsx'
import { TextLink } from '#/ui/button/link.tsx'
import { EmptyState } from '#/ui/feedback/EmptyState.tsx'
import { RowMenu } from '#/ui/overlay/RowMenu.tsx'
import type { Column } from '#/ui/table/columns.ts'
import { sizeColumns } from './columns.tsx'
import { askToDeleteSize, SiloSizeDialog } from './SiloSizeDialog.tsx'
import type { MachineSize } from './sizes.ts'

const columns: readonly Column<MachineSize>[] = [
  { id: 'name', header: 'name', order: 'name', cell: ({ name }) => name },
  ...sizeColumns,
]

/** The sizes that a silo has instead of those of the fleet. */
export function SiloSizes({ silo }: { silo: string }) {
  const disabledReason = useRole(undefined, 'fleet').lacks('admin')
  const [open, setOpen] = useState<{ size?: MachineSize }>()
  const options = usePageOptions(siloMachineSizeList, { silo }, { type: 'silo-machine-size', columns })
  return (
    <>
      <div className="mb-3 flex flex-wrap items-center justify-end gap-2">
        {options.button}
        <NewButton disabledReason={disabledReason} onClick={() => setOpen({})}>
          New machine size
        </NewButton>
      </div>
      <QueryTable<MachineSize>
        label="Machine sizes"
        queried={filteredKindOf(siloMachineSizeList)}
        query={options.query}
        columns={options.columns}
        actions={(size) => (
          <RowMenu
            items={[
              { label: 'Copy ID', onAction: () => void copyWithToast(size.id, 'Machine size ID') },
              { label: 'Edit', disabledReason, onAction: () => setOpen({ size }) },
              { label: 'Delete', danger: true, disabledReason, onAction: () => askToDeleteSize(silo, size) },
            ]}
          />
        )}
        empty={
          <EmptyState
            icon={<Scaling />}
            title="No machine sizes"
            body={
              <>
                Forms of the silo offer the{' '}
                <TextLink href={sections.machineSize.list()}>sizes of the fleet</TextLink>. With a size here,
                they offer those of the silo only.
              </>
            }
          />
        }
      />
      {open && <SiloSizeDialog silo={silo} size={open.size} onDismiss={() => setOpen(undefined)} />}
    </>
  )
}

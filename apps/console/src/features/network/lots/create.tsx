import { limits } from '@purlin/contract/rules/limits'
import { lotKinds, type LotKind } from '@purlin/contract/rules/networking'
import { createFileRoute, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useController, useForm, type Control } from 'react-hook-form'
import { sections } from '#/lib/addresses.ts'
import { formRoute } from '#/resource/address/routeOptions.tsx'
import { showDoneToast } from '#/resource/actions/toasts.tsx'
import { IdentityControls } from '#/resource/form/IdentityControls.tsx'
import { ResourceForm } from '#/resource/form/ResourceForm.tsx'
import { roleScope } from '#/resource/kind.ts'
import { useRole } from '#/resource/role/useRole.ts'
import { Button } from '#/ui/button/Button.tsx'
import { MiniTable } from '#/ui/field/MiniTable.tsx'
import { RadioGroupControl } from '#/ui/form/RadioGroupControl.tsx'
import { addressLot, lotRequest, saveLot } from '../kinds.ts'
import { lotKindWords, type Bounds } from '../words.ts'
import { AddBlock } from './AddBlock.tsx'

export const Route = createFileRoute(
  '/_auth/system/networking/_network/_tabs/_address-lots/address-lots-new',
)({
  ...formRoute('New address lot'),
  component: CreateLot,
})

interface Filled {
  name: string
  description: string
  kind: LotKind
  blocks: Bounds[]
}
const empty: Filled = { name: '', description: '', kind: 'infra', blocks: [] }

function CreateLot() {
  const navigate = useNavigate()
  const { lacks } = useRole(...roleScope(addressLot, {}))
  const form = useForm<Filled>({ defaultValues: empty })
  const close = () => navigate({ href: sections.addressLot.list(), ignoreBlocker: true })
  const save = async (filled: Filled) => {
    await saveLot(filled)
    showDoneToast('Address lot', filled.name, 'created')
    await close()
  }
  return (
    <ResourceForm
      title="Create address lot"
      form={form}
      draft={addressLot.name}
      onSubmit={save}
      request={lotRequest}
      onDismiss={() => void close()}
      submitDisabledReason={lacks('admin')}
    >
      <IdentityControls kind={addressLot} control={form.control} />
      <RadioGroupControl
        name="kind"
        label="Kind"
        required
        control={form.control}
        options={lotKinds.map((value) => ({ value, ...lotKindWords[value] }))}
      />
      <Blocks control={form.control} />
    </ResourceForm>
  )
}

function Blocks({ control }: { control: Control<Filled> }) {
  const { field } = useController({ control, name: 'blocks' })
  const [isAdding, setAdding] = useState(false)
  const { blocks: most } = limits.addressLot
  return (
    <section aria-labelledby="blocks" className="flex flex-col gap-3">
      <h3 id="blocks" className="font-medium">
        Blocks
      </h3>
      <MiniTable
        label="Blocks"
        columns={[
          { header: 'First', cell: ({ firstAddress }) => firstAddress },
          { header: 'Last', cell: ({ lastAddress }) => lastAddress },
        ]}
        emptyText="No blocks yet. They can be added later, too."
        rows={field.value}
        rowKey={({ firstAddress, lastAddress }) => `${firstAddress}-${lastAddress}`}
        onRemove={(block) => field.onChange(field.value.filter((other) => other !== block))}
        removeLabel={({ firstAddress }) => `Remove block from ${firstAddress}`}
      />
      <div>
        <Button
          size="small"
          disabledReason={
            field.value.length >= most ? `A request may have at most ${most} blocks` : undefined
          }
          onClick={() => setAdding(true)}
        >
          Add block
        </Button>
      </div>
      {isAdding && (
        <AddBlock
          onAdd={(block) => field.onChange([...field.value, block])}
          request={null}
          onDismiss={() => setAdding(false)}
        />
      )}
    </section>
  )
}

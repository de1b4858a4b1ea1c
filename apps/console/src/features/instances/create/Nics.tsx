import { useId, useState } from 'react'
import { nicLimit, type NicValues } from '#/features/instances/networking/nic.ts'
import { Button } from '#/ui/button/Button.tsx'
import { FieldError } from '#/ui/field/fieldParts.tsx'
import { MiniTable, type MiniColumn } from '#/ui/field/MiniTable.tsx'
import { lazily } from '#/lib/lazily.tsx'
import { Truncate } from '#/ui/value/Truncate.tsx'
import { nicsProblem } from './values/rules.ts'
import { useListField, type SectionProps } from './values/sections.ts'

const NicForm = lazily(() => import('#/features/instances/networking/NicForm.tsx'), 'NicForm')

const transit: MiniColumn<NicValues> = {
  header: 'Transit IPs',
  cell: ({ transitIps = [] }) => <Truncate text={transitIps.join(', ')} />,
}
const columns: readonly MiniColumn<NicValues>[] = [
  { header: 'Name', cell: ({ name }) => <Truncate text={name} /> },
  { header: 'VPC', cell: ({ vpcName }) => <Truncate text={vpcName} /> },
  { header: 'Subnet', cell: ({ subnetName }) => <Truncate text={subnetName} /> },
]

/** The interfaces of 'Custom'. The form keeps them while another option is selected. */
export function Nics({ form, project }: Omit<SectionProps, 'offers'>) {
  const [dialog, setDialog] = useState<'add' | NicValues>()
  const edited = typeof dialog === 'object' ? dialog : undefined
  const errorId = useId()
  const { value: nics, onChange, error, ref } = useListField({ form, name: 'nics', validate: nicsProblem })
  const reason = nicLimit(nics.length)
  return (
    <div className="flex flex-col gap-2.5 pl-[23px]">
      <MiniTable
        label="Network Interfaces"
        columns={nics.some(({ transitIps = [] }) => transitIps.length > 0) ? [...columns, transit] : columns}
        rows={nics}
        rowKey={({ name }) => name}
        onRemove={(nic) => onChange(nics.filter((other) => other !== nic))}
        editOf={(nic) => () => setDialog(nic)}
        editLabel={({ name }) => `edit network interface ${name}`}
        removeLabel={({ name }) => `remove network interface ${name}`}
        emptyText="No network interfaces. Without one, the instance is in no network."
      />
      <div>
        <div className="flex flex-wrap gap-2">
          <Button
            ref={ref}
            size="small"
            disabledReason={reason}
            aria-describedby={error ? errorId : undefined}
            onClick={() => setDialog('add')}
          >
            Add network interface
          </Button>
          {nics.length > 0 && (
            <Button size="small" variant="ghost" onClick={() => onChange([])}>
              Clear
            </Button>
          )}
        </div>
        <FieldError id={errorId} error={error} />
      </div>
      {dialog && (
        <NicForm
          project={project}
          edited={edited}
          others={nics
            .filter((nic) => nic !== edited)
            .map(({ name, vpcName, subnetName }) => ({ name, vpc: vpcName, subnet: subnetName }))}
          onSubmit={(nic) => {
            onChange(edited ? nics.map((other) => (other === edited ? nic : other)) : [...nics, nic])
            setDialog(undefined)
          }}
          request={null}
          onDismiss={() => setDialog(undefined)}
        />
      )}
    </div>
  )
}

import Globe from 'lucide-react/icons/globe'
import { useId, useState } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import { ModalForm } from '../../../../../parts/instance/ModalForm.tsx'
import { Button } from '../../../../../ui/Button.tsx'
import { EmptyState } from '../../../../../ui/EmptyState.tsx'
import { FieldError } from '../../../../../ui/field/fieldParts.tsx'
import { MiniTable, type MiniColumn } from '../../../../../ui/field/MiniTable.tsx'
import { ListboxControl } from '../../../../../ui/form/ListboxControl.tsx'
import { Truncate } from '../../../../../ui/Truncate.tsx'
import type { FloatingIp } from './data.ts'
import { FormGroup } from './FormSection.tsx'
import { externalIpLimit, externalIpsProblem, hasNetwork } from './rules.ts'
import { useListField, type SectionProps } from './sections.ts'
import { Notice } from '../../../../../ui/Notice.tsx'

const columns: readonly MiniColumn<FloatingIp>[] = [
  { header: 'Name', cell: ({ name }) => <Truncate text={name} /> },
  { header: 'IP', cell: ({ ip }) => ip },
]

/** The floating IPs that the instance gets. Choosing one only changes the form. */
export function FloatingIps({
  form,
  offers,
  blocked,
}: Pick<SectionProps, 'form' | 'offers'> & { blocked: string | undefined }) {
  const [isChoosing, setChoosing] = useState(false)
  const errorId = useId()
  const ephemeral = useWatch({ control: form.control, name: 'ephemeral' })
  const {
    value: chosen,
    onChange,
    error,
    ref,
  } = useListField({
    form,
    name: 'floatingIps',
    validate: (_, values) => (hasNetwork(values) ? externalIpsProblem(values) : undefined),
  })
  const rows = blocked ? [] : offers.floatingIps.filter(({ name }) => chosen.includes(name))
  const free = offers.floatingIps.filter(({ name, instanceId }) => !instanceId && !chosen.includes(name))
  const reason =
    blocked ??
    externalIpLimit({ ephemeral, floatingIps: chosen }) ??
    (free.length === 0 ? 'No floating IPs available' : undefined)
  return (
    <FormGroup
      title="Floating IPs"
      tip="Addresses from outside that belong to the project. They stay when the instance is deleted and can move to another."
    >
      {offers.floatingIps.length === 0 ? (
        <EmptyState
          icon={<Globe />}
          title="No floating IPs found"
          body="Create a floating IP to attach it to this instance"
        />
      ) : (
        <>
          <MiniTable
            label="Floating IPs"
            columns={columns}
            rows={rows}
            rowKey={({ name }) => name}
            onRemove={({ name }) => onChange(chosen.filter((other) => other !== name))}
            removeLabel={({ name }) => `remove floating IP ${name}`}
          />
          <div>
            <Button
              ref={ref}
              size="small"
              disabledReason={reason}
              aria-describedby={error ? errorId : undefined}
              onClick={() => setChoosing(true)}
            >
              Attach floating IP
            </Button>
            <FieldError id={errorId} error={error} />
          </div>
        </>
      )}
      {isChoosing && (
        <AttachFloatingIp
          free={free}
          onAttach={(name) => {
            onChange([...chosen, name])
            setChoosing(false)
          }}
          onDismiss={() => setChoosing(false)}
        />
      )}
    </FormGroup>
  )
}

interface AttachProps {
  free: readonly FloatingIp[]
  onAttach: (name: string) => void
  onDismiss: () => void
}

function AttachFloatingIp({ free, onAttach, onDismiss }: AttachProps) {
  const form = useForm({ defaultValues: { floatingIp: '' } })
  const name = useWatch({ control: form.control, name: 'floatingIp' })
  const ip = free.find((one) => one.name === name)?.ip
  return (
    <ModalForm
      title="Attach floating IP"
      submitLabel="Attach"
      form={form}
      onSubmit={async (values) => onAttach(values.floatingIp)}
      onDismiss={onDismiss}
      submitDisabledReason={name === '' ? 'Select a floating IP first' : undefined}
    >
      <Notice>
        This instance will be reachable at{' '}
        {ip ? <span className="mono text-ink">{ip}</span> : 'the selected IP'}.
      </Notice>
      <ListboxControl
        name="floatingIp"
        control={form.control}
        label="Floating IP"
        required
        placeholder="Select a floating IP"
        items={free.map((one) => ({
          value: one.name,
          label: one.name,
          description: [one.ip, one.description].filter(Boolean).join(' / '),
          selectedLabel: `${one.name} (${one.ip})`,
        }))}
      />
    </ModalForm>
  )
}

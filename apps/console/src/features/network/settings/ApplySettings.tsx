import {
  networkingSwitchPortApplySettings,
  networkingSwitchPortList,
} from '@purlin/contract/operations/hardware/hardware'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { invalidate } from '#/api/query.ts'
import { send } from '#/api/send.ts'
import { portsQuery, type Port } from '#/features/hardware/switches/ports.ts'
import { ModalForm } from '#/resource/form/ModalForm.tsx'
import { addToast } from '#/ui/feedback/toast.ts'
import { ListboxControl } from '#/ui/form/ListboxControl.tsx'
import { ReviewChange } from '#/features/hardware/change/ReviewChange.tsx'

/** Chooses a port, shows what changes, and gives it the settings. */
export function ApplySettings({ name, onDismiss }: { name: string; onDismiss: () => void }) {
  const ports = useQuery(portsQuery())
  const [port, setPort] = useState<Port>()
  const form = useForm({ defaultValues: { port: '' } })
  if (port) return <Review name={name} port={port} onDismiss={onDismiss} />
  return (
    <ModalForm
      title="Apply to a port"
      submitLabel="Review"
      form={form}
      onSubmit={(filled) => {
        setPort(ports.data?.find(({ id }) => id === filled.port))
        return Promise.resolve()
      }}
      onDismiss={onDismiss}
    >
      <ListboxControl
        name="port"
        label="Port"
        control={form.control}
        required
        loading={ports.isPending}
        placeholder="Select a port"
        items={(ports.data ?? []).map(({ id, portName, switchLocation, portSettingsId }) => ({
          value: id,
          label: `${switchLocation} ${portName}`,
          description: portSettingsId ? 'Has settings, which are replaced' : 'Has no settings',
        }))}
      />
    </ModalForm>
  )
}

function Review({ name, port, onDismiss }: { name: string; port: Port; onDismiss: () => void }) {
  const { rackId, switchLocation, portName } = port
  const apply = async (confirmWithin?: number) => {
    await send(networkingSwitchPortApplySettings, {
      params: { port: portName },
      query: { rackId, switchLocation, ...(confirmWithin === undefined ? {} : { confirmWithin }) },
      body: { portSettings: name },
    })
    await invalidate(networkingSwitchPortList)
    addToast({ content: `Settings applied to ${switchLocation} ${portName}` })
  }
  return (
    <ReviewChange
      title={`Apply to ${switchLocation} ${portName}?`}
      change={{ type: 'apply', rackId, switchLocation, port: portName, portSettings: name }}
      apply={apply}
      onDismiss={onDismiss}
    />
  )
}

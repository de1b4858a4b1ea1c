import {
  networkingSwitchPortApplySettings,
  networkingSwitchPortList,
} from '@purlin/contract/operations/hardware/hardware'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { invalidate } from '#/api/query.ts'
import { requestTo } from '#/api/request.ts'
import { inOrder, portsQuery, type Port } from '#/features/hardware/switches/ports.ts'
import { ModalForm } from '#/resource/form/ModalForm.tsx'
import { addToast } from '#/ui/feedback/toast.ts'
import { ListboxControl } from '#/ui/form/ListboxControl.tsx'
import { ReviewChange, type Within } from '#/features/hardware/change/ReviewChange.tsx'

/** Chooses a port, shows what changes, and gives it the settings. */
export function ApplySettings({ name, onDismiss }: { name: string; onDismiss: () => void }) {
  const ports = useQuery(portsQuery())
  const [port, setPort] = useState<Port>()
  const form = useForm({ defaultValues: { port: '' } })
  const portOf = (chosen: string) => ports.data?.find(({ id }) => id === chosen)
  if (port) return <Review name={name} port={port} onDismiss={onDismiss} />
  return (
    <ModalForm
      title="Apply to a port"
      submitLabel="Review"
      form={form}
      onSubmit={(filled) => {
        setPort(portOf(filled.port))
        return Promise.resolve()
      }}
      request={(filled) => {
        const chosen = portOf(filled.port)
        return chosen ? applyRequest(name, chosen) : []
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
        items={inOrder(ports.data ?? []).map(({ id, portName, switchLocation, portSettingsId }) => ({
          value: id,
          label: `${switchLocation} ${portName}`,
          description: portSettingsId ? 'Has settings, which are replaced' : 'Has no settings',
        }))}
      />
    </ModalForm>
  )
}

const applyRequest = (
  portSettings: string,
  { rackId, switchLocation, portName }: Port,
  within: Within = {},
) =>
  requestTo(networkingSwitchPortApplySettings, {
    params: { port: portName },
    query: { rackId, switchLocation, ...within },
    body: { portSettings },
  })

function Review({ name, port, onDismiss }: { name: string; port: Port; onDismiss: () => void }) {
  const { rackId, switchLocation, portName } = port
  const applied = async () => {
    await invalidate(networkingSwitchPortList)
    addToast({ content: `Settings applied to ${switchLocation} ${portName}` })
  }
  return (
    <ReviewChange
      title={`Apply to ${switchLocation} ${portName}?`}
      change={{ type: 'apply', rackId, switchLocation, port: portName, portSettings: name }}
      request={(within) => applyRequest(name, port, within)}
      onApplied={applied}
      onDismiss={onDismiss}
    />
  )
}

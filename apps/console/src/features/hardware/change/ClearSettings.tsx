import {
  networkingSwitchPortClearSettings,
  networkingSwitchPortList,
  networkingSwitchPortStatus,
} from '@purlin/contract/operations/hardware/hardware'
import { invalidate } from '#/api/query.ts'
import { requestTo } from '#/api/request.ts'
import { addToast } from '#/ui/feedback/toast.ts'
import type { Port } from '../switches/ports.ts'
import { ReviewChange, type Within } from './ReviewChange.tsx'

/** Shows what changes, and takes the settings from a port, which then carries no traffic. */
export function ClearSettings({ port, onDismiss }: { port: Port; onDismiss: () => void }) {
  const { rackId, switchLocation, portName } = port
  const request = (within: Within) =>
    requestTo(networkingSwitchPortClearSettings, {
      params: { port: portName },
      query: { rackId, switchLocation, ...within },
    })
  const cleared = async () => {
    await invalidate(networkingSwitchPortList, networkingSwitchPortStatus)
    addToast({ content: `Settings of ${switchLocation} ${portName} cleared` })
  }
  return (
    <ReviewChange
      title={`Clear the settings of ${switchLocation} ${portName}?`}
      change={{ type: 'clear', rackId, switchLocation, port: portName }}
      request={request}
      onApplied={cleared}
      onDismiss={onDismiss}
    />
  )
}

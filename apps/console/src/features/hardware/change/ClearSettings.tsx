import {
  networkingSwitchPortClearSettings,
  networkingSwitchPortList,
  networkingSwitchPortStatus,
} from '@purlin/contract/operations/hardware/hardware'
import { invalidate } from '#/api/query.ts'
import { send } from '#/api/send.ts'
import { addToast } from '#/ui/feedback/toast.ts'
import type { Port } from '../switches/ports.ts'
import { ReviewChange } from './ReviewChange.tsx'

/** Shows what changes, and takes the settings from a port, which then carries no traffic. */
export function ClearSettings({ port, onDismiss }: { port: Port; onDismiss: () => void }) {
  const { rackId, switchLocation, portName } = port
  const clear = async (confirmWithin?: number) => {
    await send(networkingSwitchPortClearSettings, {
      params: { port: portName },
      query: { rackId, switchLocation, ...(confirmWithin === undefined ? {} : { confirmWithin }) },
    })
    await invalidate(networkingSwitchPortList, networkingSwitchPortStatus)
    addToast({ content: `Settings of ${switchLocation} ${portName} cleared` })
  }
  return (
    <ReviewChange
      title={`Clear the settings of ${switchLocation} ${portName}?`}
      change={{ type: 'clear', rackId, switchLocation, port: portName }}
      apply={clear}
      onDismiss={onDismiss}
    />
  )
}

import {
  networkingSwitchPortLldpConfigUpdate,
  networkingSwitchPortLldpConfigView,
} from '@purlin/contract/operations/hardware/lldp'
import { invalidate, query } from '#/api/query.ts'
import { requestTo, sendRequest } from '#/api/request.ts'
import { LoadToEdit } from '#/resource/form/fresh/LoadToEdit.tsx'
import type { Row } from '#/resource/form/rowTable.ts'
import { RowDialog } from '#/resource/form/RowDialog.tsx'
import { addToast } from '#/ui/feedback/toast.ts'
import type { Port } from '../switches/ports.ts'
import { lldpIn, lldpRow, lldpTable } from './discovery.ts'

interface Props {
  port: Port
  onDismiss: () => void
}

/** Changes how the first link of a port is discovered by its neighbors (LLDP, IEEE 802.1AB), in the settings of the port. */
export function DiscoveryOfPort({ port, onDismiss }: Props) {
  const { rackId, switchLocation, portName } = port
  const at = { params: { port: portName }, query: { rackId, switchLocation } }
  const request = (id: string, row: Row) =>
    requestTo(networkingSwitchPortLldpConfigUpdate, { ...at, body: { id, ...lldpIn(row) } })
  const save = async (id: string, row: Row) => {
    await sendRequest(request(id, row))
    await invalidate(networkingSwitchPortLldpConfigView)
    addToast({ content: `LLDP of ${switchLocation} ${portName} updated` })
  }
  return (
    <LoadToEdit
      title={`Edit ${lldpTable.noun}`}
      read={query(networkingSwitchPortLldpConfigView, at)}
      onDismiss={onDismiss}
    >
      {(config) => (
        <RowDialog
          table={lldpTable}
          row={lldpRow(config)}
          onSave={(row) => save(config.id, row)}
          request={(row) => request(config.id, row)}
          onDismiss={onDismiss}
        />
      )}
    </LoadToEdit>
  )
}

import {
  networkingSwitchPortLldpConfigUpdate,
  networkingSwitchPortLldpConfigView,
} from '@purlin/contract/operations/hardware/lldp'
import { useQuery } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { errorMessage } from '#/api/errors.ts'
import { invalidate, query } from '#/api/query.ts'
import { requestTo, sendRequest } from '#/api/request.ts'
import { ModalForm } from '#/resource/form/ModalForm.tsx'
import type { Row } from '#/resource/form/rowTable.ts'
import { RowDialog } from '#/resource/form/RowDialog.tsx'
import { Skeleton } from '#/ui/feedback/Skeleton.tsx'
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
  const { data, error } = useQuery({
    ...query(networkingSwitchPortLldpConfigView, at),
    staleTime: 0,
    throwOnError: false,
  })
  if (!data) return <Waiting error={error} onDismiss={onDismiss} />
  const request = (row: Row) =>
    requestTo(networkingSwitchPortLldpConfigUpdate, { ...at, body: { id: data.id, ...lldpIn(row) } })
  return (
    <RowDialog
      table={lldpTable}
      row={lldpRow(data)}
      onSave={async (row) => {
        await sendRequest(request(row))
        await invalidate(networkingSwitchPortLldpConfigView)
        addToast({ content: `LLDP of ${switchLocation} ${portName} updated` })
      }}
      request={request}
      onDismiss={onDismiss}
    />
  )
}

function Waiting({ error, onDismiss }: { error: Error | null; onDismiss: () => void }) {
  const form = useForm()
  return (
    <ModalForm
      title="Edit LLDP"
      submitLabel="Update"
      form={form}
      onSubmit={() => Promise.resolve()}
      request={null}
      onDismiss={onDismiss}
      submitDisabledReason="The configuration has not been read yet"
    >
      {error ? <p role="alert">{errorMessage(error)}</p> : <Skeleton className="h-2.5 w-40" />}
    </ModalForm>
  )
}

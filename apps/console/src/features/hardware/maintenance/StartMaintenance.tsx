import { sledMaintenanceStart } from '@purlin/contract/operations/hardware/hardware'
import { countOf } from '@purlin/contract/rules/kinds'
import { useForm } from 'react-hook-form'
import { requestTo, sendRequest } from '#/api/request.ts'
import { ModalForm } from '#/resource/form/ModalForm.tsx'
import { showDoneToast } from '#/resource/actions/toasts.tsx'
import { CheckboxControl } from '#/ui/form/CheckboxControl.tsx'
import { Highlight } from '#/ui/value/Highlight.tsx'
import type { Sled } from '../kinds.ts'
import { reloadMaintenance } from './queries.ts'

interface StartMaintenanceProps {
  sled: Sled
  /** Instances that cannot be moved now. */
  stuck: number
  /** Whether an earlier run left some instances. */
  isAgain?: boolean
  onDismiss: () => void
}

/** Asks before a sled is emptied, and for consent to stop what cannot be moved. */
export function StartMaintenance({ sled, stuck, isAgain = false, onDismiss }: StartMaintenanceProps) {
  const form = useForm({ defaultValues: { stopUnmovable: false } })
  const { serial } = sled.baseboard
  const request = (body: { stopUnmovable: boolean }) =>
    requestTo(sledMaintenanceStart, { params: { sledId: sled.id }, body })
  const start = async (body: { stopUnmovable: boolean }) => {
    await sendRequest(request(body))
    await reloadMaintenance()
    showDoneToast('Maintenance of sled', serial, 'started')
    onDismiss()
  }
  return (
    <ModalForm
      title={isAgain ? 'Move the remaining instances' : 'Start maintenance'}
      submitLabel={isAgain ? 'Move' : 'Start'}
      form={form}
      onSubmit={start}
      request={request}
      onDismiss={onDismiss}
    >
      <p>
        No new instances start on sled <Highlight>{serial}</Highlight>, and those on it move to other sleds.
        You can stop this half-way and give the sled back.
      </p>
      {stuck > 0 && (
        <p>
          {countOf(stuck, 'instance')} cannot be moved now. Unless you choose to stop{' '}
          {stuck === 1 ? 'it' : 'them'}, the sled does not become empty.
        </p>
      )}
      <CheckboxControl
        name="stopUnmovable"
        control={form.control}
        label="Stop instances that cannot be moved"
      />
    </ModalForm>
  )
}

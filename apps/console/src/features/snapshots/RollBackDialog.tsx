import { diskRollBack } from '@purlin/contract/operations/storage/disks'
import { useForm, useWatch } from 'react-hook-form'
import { requestTo, sendRequest } from '#/api/request.ts'
import { generateName } from '#/lib/input/names.ts'
import { ModalForm } from '#/resource/form/ModalForm.tsx'
import { reload } from '#/resource/kind.ts'
import { kinds } from '#/resource/kinds.ts'
import { showDoneToast } from '#/resource/actions/toasts.tsx'
import { CheckboxControl } from '#/ui/form/CheckboxControl.tsx'
import { NameControl } from '#/ui/form/NameControl.tsx'
import { Highlight } from '#/ui/value/Highlight.tsx'
import type { Snapshot } from './snapshots.tsx'

interface RollBackDialogProps {
  snapshot: Pick<Snapshot, 'id' | 'name' | 'diskId'>
  onDismiss: () => void
}

interface Values {
  isKept: boolean
  name: string
}

/** 'Roll disk back': the disk of a snapshot gets its content again. */
export function RollBackDialog({ snapshot, onDismiss }: RollBackDialogProps) {
  const form = useForm<Values>({
    defaultValues: { isKept: true, name: generateName(['before', snapshot.name]) },
  })
  const isKept = useWatch({ control: form.control, name: 'isKept' })
  const request = ({ isKept: keeps, name }: Values) =>
    requestTo(diskRollBack, {
      params: { disk: snapshot.diskId },
      query: {},
      body: { snapshot: snapshot.id, ...(keeps ? { snapshotBefore: name } : {}) },
    })
  const rollBack = async (values: Values) => {
    const { name } = await sendRequest(request(values))
    void reload(kinds.disk)
    void reload(kinds.snapshot)
    showDoneToast('Disk', name, `has the content of snapshot ${snapshot.name} again`)
    onDismiss()
  }
  return (
    <ModalForm
      title="Roll disk back"
      submitLabel="Roll disk back"
      form={form}
      onSubmit={rollBack}
      request={request}
      onDismiss={onDismiss}
    >
      <p>
        Everything that was written to the disk after snapshot <Highlight>{snapshot.name}</Highlight> is lost,
        unless you keep it as a snapshot. The disk must be detached, or its instance stopped.
      </p>
      <CheckboxControl
        name="isKept"
        control={form.control}
        label="Take a snapshot of the present content first"
      />
      {isKept && <NameControl name="name" control={form.control} label="Name of that snapshot" />}
    </ModalForm>
  )
}

import { instanceSnapshotCreate } from '@purlin/contract/operations/storage/instance-snapshots'
import { wholeNameMaxLength } from '@purlin/contract/rules/snapshot-names'
import { useQuery } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { requestTo, sendRequest } from '#/api/request.ts'
import type { InstanceTarget } from '#/features/instance-state/update.ts'
import { StorageLeft } from '#/features/utilization/StorageLeft.tsx'
import { paths } from '#/lib/addresses.ts'
import { generateName } from '#/lib/input/names.ts'
import { validateLength } from '#/lib/input/validate.ts'
import { doneToast } from '#/resource/actions/toasts.tsx'
import { ModalForm } from '#/resource/form/ModalForm.tsx'
import { withTags } from '#/resource/form/tags.ts'
import { TagsControl } from '#/resource/form/TagsControl.tsx'
import { addToast } from '#/ui/feedback/toast.ts'
import { DescriptionControl } from '#/ui/form/DescriptionControl.tsx'
import { NameControl } from '#/ui/form/NameControl.tsx'
import { reload } from '#/resource/kind.ts'
import { disksQuery } from '../queries.ts'
import { wholes } from './kind.ts'

interface Values {
  name: string
  description: string
  tags: string
}

/** 'Snapshot instance': all of its disks at one moment. */
export function TakeDialog({ target, onDismiss }: { target: InstanceTarget; onDismiss: () => void }) {
  const form = useForm<Values>({
    defaultValues: {
      name: generateName([target.instance], undefined, wholeNameMaxLength),
      description: '',
      tags: '',
    },
  })
  const disks = useQuery({ ...disksQuery(target), throwOnError: false }).data?.items
  const request = ({ name, description, tags }: Values) =>
    requestTo(instanceSnapshotCreate, {
      query: target,
      body: withTags({ name, description }, { text: tags }),
    })
  const take = async (values: Values) => {
    const { name } = await sendRequest(request(values))
    void reload(wholes)
    addToast({
      ...doneToast('Instance snapshot', name, 'created'),
      cta: { href: paths.instanceTab(target, 'snapshots'), text: 'View snapshots' },
    })
    onDismiss()
  }
  return (
    <ModalForm
      title="Snapshot instance"
      submitLabel="Snapshot instance"
      form={form}
      onSubmit={take}
      request={request}
      draft={{ form: 'instanceSnapshot', place: `${target.project}/${target.instance}` }}
      onDismiss={onDismiss}
    >
      <p>
        Each disk gets a snapshot, all of the same moment. Each is called after this name and its disk, and
        its size counts against the quota.
      </p>
      <NameControl name="name" control={form.control} validate={validateLength(wholeNameMaxLength)} />
      <DescriptionControl name="description" control={form.control} />
      <TagsControl control={form.control} />
      <StorageLeft needed={disks?.reduce((sum, { size }) => sum + size, 0)} />
    </ModalForm>
  )
}

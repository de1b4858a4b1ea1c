import { serverNow } from '#/lib/clock.ts'
import { snapshotList } from '@purlin/contract/operations/storage/snapshots'
import { patternProblem, snapshotNameBy, usualPattern } from '@purlin/contract/rules/snapshot-names'
import { useState } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import { invalidate } from '#/api/query.ts'
import { kinds } from '#/resource/kinds.ts'
import type { Chosen } from '#/resource/actions/actions.tsx'
import { TaskForm } from '#/resource/actions/TaskForm.tsx'
import { useDebounced } from '#/resource/list/useDebounced.ts'
import { TextControl } from '#/ui/form/TextControl.tsx'

/** Makes snapshots of many disks, or of the disks of many instances. */
export function SnapshotsDialog({ kind, chosen }: { kind: 'disk' | 'instance'; chosen: Chosen }) {
  const form = useForm({ defaultValues: { namePattern: usualPattern } })
  const namePattern = useDebounced(useWatch({ control: form.control, name: 'namePattern' }))
  const problem = patternProblem(namePattern)
  const [at] = useState(() => serverNow())
  return (
    <TaskForm
      title={kind === 'disk' ? 'Snapshot disks' : 'Snapshot the disks of instances'}
      submitLabel="Snapshot"
      task={{ kind, action: 'snapshot' }}
      chosen={chosen}
      texts={{ noun: kinds.disk.noun, done: 'snapshotted', after: () => invalidate(snapshotList) }}
      form={form}
      parameters={problem === undefined ? { namePattern } : { missing: `Names of the snapshots: ${problem}` }}
    >
      {(plan) => {
        const [disk] = plan?.names ?? []
        return (
          <TextControl
            name="namePattern"
            control={form.control}
            label="Names of the snapshots"
            required
            mono
            validate={patternProblem}
            hint={
              disk === undefined || problem !== undefined
                ? '{disk} is the name of the disk, {time} the time in UTC.'
                : `{disk} is the name of the disk, {time} the time in UTC: ${snapshotNameBy(namePattern, { disk, at })}`
            }
          />
        )
      }}
    </TaskForm>
  )
}

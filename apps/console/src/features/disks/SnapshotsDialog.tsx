import { serverNow } from '#/lib/clock.ts'
import { instanceSnapshotList } from '@purlin/contract/operations/storage/instance-snapshots'
import { snapshotList } from '@purlin/contract/operations/storage/snapshots'
import {
  patternProblem,
  snapshotNameBy,
  usualPattern,
  usualWholePattern,
  wholeNameBy,
  wholePatternProblem,
} from '@purlin/contract/rules/snapshot-names'
import { useState } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import { invalidate } from '#/api/query.ts'
import { StorageLeft } from '#/features/utilization/StorageLeft.tsx'
import { kinds } from '#/resource/kinds.ts'
import type { Chosen } from '#/resource/actions/actions.tsx'
import { TaskForm } from '#/resource/actions/TaskForm.tsx'
import { useDebounced } from '#/resource/list/useDebounced.ts'
import { TextControl } from '#/ui/form/TextControl.tsx'

const ofKind = {
  disk: {
    title: 'Snapshot disks',
    action: 'snapshot',
    usual: usualPattern,
    problemOf: patternProblem,
    hint: '{disk} is the name of the disk, {time} the time in UTC',
    example: (pattern: string, disk: string, at: number) => snapshotNameBy(pattern, { disk, at }),
  },
  instance: {
    title: 'Snapshot instances',
    action: 'snapshot_together',
    usual: usualWholePattern,
    problemOf: wholePatternProblem,
    hint: 'Each instance gets a snapshot of all of its disks at one moment. {time} is the time in UTC',
    example: (pattern: string, _: string, at: number) => wholeNameBy(pattern, at),
  },
} as const

/** Makes snapshots of many disks, or of many instances. */
export function SnapshotsDialog({ kind, chosen }: { kind: keyof typeof ofKind; chosen: Chosen }) {
  const { title, action, usual, problemOf, hint, example } = ofKind[kind]
  const form = useForm<{ namePattern: string }>({ defaultValues: { namePattern: usual } })
  const namePattern = useDebounced(useWatch({ control: form.control, name: 'namePattern' }))
  const problem = problemOf(namePattern)
  const [at] = useState(() => serverNow())
  return (
    <TaskForm
      title={title}
      submitLabel="Snapshot"
      task={{ kind, action }}
      chosen={chosen}
      texts={{
        noun: kinds[kind].noun,
        done: 'snapshotted',
        after: () => invalidate(snapshotList, instanceSnapshotList),
      }}
      form={form}
      parameters={problem === undefined ? { namePattern } : { missing: `Names of the snapshots: ${problem}` }}
    >
      {(plan) => {
        const [first] = plan?.names ?? []
        return (
          <>
            <TextControl
              name="namePattern"
              control={form.control}
              label="Names of the snapshots"
              required
              mono
              validate={problemOf}
              hint={
                first === undefined || problem !== undefined
                  ? `${hint}.`
                  : `${hint}: ${example(namePattern, first, at)}`
              }
            />
            <StorageLeft />
          </>
        )
      }}
    </TaskForm>
  )
}

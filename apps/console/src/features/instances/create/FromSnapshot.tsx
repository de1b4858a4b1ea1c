import { useWatch } from 'react-hook-form'
import { useSnapshots } from '#/features/disks/sources.tsx'
import { ComboboxControl } from '#/ui/form/ComboboxControl.tsx'
import { NewBootDisk } from './NewBootDisk.tsx'
import type { SectionProps } from './values/sections.ts'

/** The boot disk of a clone of an instance that was made from a snapshot. */
export function FromSnapshot({ form, project }: Pick<SectionProps, 'form' | 'project'>) {
  const { control } = form
  const value = useWatch({ control, name: 'bootSnapshot' })
  const snapshots = useSnapshots(project, { value, enabled: true })
  const bytes = snapshots.sizeOf(value)
  return (
    <>
      <ComboboxControl
        name="bootSnapshot"
        control={control}
        label="Snapshot"
        required
        placeholder="Select a snapshot"
        hint={snapshots.problem}
        {...snapshots.field}
      />
      <NewBootDisk
        form={form}
        project={project}
        source={bytes === undefined ? undefined : { noun: 'snapshot', bytes }}
      />
    </>
  )
}

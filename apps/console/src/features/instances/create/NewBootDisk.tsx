import { diskSize, diskSizeProblem, leastGiB } from '#/features/disks/body.ts'
import { NameControl } from '#/ui/form/NameControl.tsx'
import { NumberControl } from '#/ui/form/NumberControl.tsx'
import { kinds } from '#/resource/kinds.ts'
import { takenProblem } from '#/resource/list/namedRows.ts'
import { bootNameProblem } from './values/rules.ts'
import type { SectionProps } from './values/sections.ts'

interface NewBootDiskProps extends Pick<SectionProps, 'form' | 'project'> {
  source: { noun: 'image' | 'snapshot'; bytes: number } | undefined
}

/** Size and name of a disk that is made with the instance. */
export const NewBootDisk = ({ form: { control }, project, source }: NewBootDiskProps) => (
  <div className="grid items-start gap-4 split:grid-cols-[10rem_minmax(0,1fr)]">
    <NumberControl
      name="bootSizeGiB"
      control={control}
      label="Disk size"
      units="GiB"
      required
      integer
      min={source ? leastGiB(source.bytes) : diskSize.min}
      max={diskSize.max}
      validate={(size) => diskSizeProblem(size, source)}
    />
    <NameControl
      name="bootName"
      control={control}
      label="Disk name"
      required={false}
      placeholder="Generated if left blank"
      validate={(name, form) =>
        bootNameProblem(name, form) ?? takenProblem(kinds.disk.list, { project }, name)
      }
    />
  </div>
)

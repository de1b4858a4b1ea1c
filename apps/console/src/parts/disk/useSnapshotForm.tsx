import { useState, type ReactNode } from 'react'
import { SnapshotForm } from './lazyForms.ts'

/** The snapshot form over a list of disks: `take` opens it for one of them, `form` stands on the page. */
export function useSnapshotForm(project: string): {
  take: (disk: { name: string }) => void
  form: ReactNode
} {
  const [disk, setDisk] = useState<string>()
  const close = () => setDisk(undefined)
  return {
    take: ({ name }) => setDisk(name),
    form: disk !== undefined && (
      <SnapshotForm animate project={project} disk={disk} onDone={close} onDismiss={close} />
    ),
  }
}

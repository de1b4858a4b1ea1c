import { useRole } from '#/resource/role/useRole.ts'
import { Notice } from '#/ui/feedback/Notice.tsx'

/** The way to a silo image: an image of a project is promoted, by those who may. */
export function PromoteHint() {
  const lacks = useRole().lacks('collaborator')
  return lacks === undefined
    ? 'Promote a project image to see it here.'
    : 'Ask an administrator to promote a project image.'
}

/** The way to something to boot from. */
export function BootHint({ project }: { project: string }) {
  const lacks = useRole(project).lacks('collaborator')
  return (
    <Notice>
      There is nothing to boot from.{' '}
      {lacks === undefined
        ? 'Import an image or create a disk first.'
        : 'Ask an administrator for an image or a disk.'}
    </Notice>
  )
}

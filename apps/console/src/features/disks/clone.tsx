import { createFileRoute } from '@tanstack/react-router'
import { kinds, viewQuery } from '#/resource/kinds.ts'
import { loadRow, rowRoute } from '#/resource/address/routeOptions.tsx'
import { useLoaded } from '#/resource/form/useLoaded.ts'
import { cloneOf } from './body.ts'
import { NewDisk } from './NewDisk.tsx'

export const Route = createFileRoute('/_auth/projects/$project/_in/_disks/disks-new/$disk')({
  ...rowRoute(kinds.disk, { label: 'New disk' }),
  loader: ({ params }) => loadRow(kinds.disk, params),
  component: CloneDisk,
})

/** The form of a new disk, filled as another one was made. */
function CloneDisk() {
  const { project, disk: name } = Route.useParams()
  const disk = useLoaded(viewQuery(kinds.disk, name, { project }))
  const note = `Filled as ${name} was made. Its data is not copied: to copy that, take a snapshot of it and make a disk of the snapshot.`
  return <NewDisk key={name} project={project} filled={{ values: cloneOf(disk), note }} />
}

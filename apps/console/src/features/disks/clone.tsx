import { createFileRoute } from '@tanstack/react-router'
import { viewQuery } from '#/resource/kind.ts'
import { kinds } from '#/resource/kinds.ts'
import { loadRow, rowRoute } from '#/resource/address/routeOptions.tsx'
import { useLoaded } from '#/resource/form/useLoaded.ts'
import { cloneOf } from './body.ts'
import { NewDisk } from './NewDisk.tsx'

export const Route = createFileRoute('/_auth/projects/$project/_in/_disks/disks-new/$disk')({
  ...rowRoute(kinds.disk, { label: 'New disk' }),
  loader: ({ params }) => loadRow(kinds.disk, params),
  component: CloneDisk,
})

/** The form of a new disk, prefilled from another one. */
function CloneDisk() {
  const { project, disk: name } = Route.useParams()
  const disk = useLoaded(viewQuery(kinds.disk, name, { project }))
  const note = `Prefilled from ${name}. Its data is not copied. To copy it, take a snapshot of ${name} and create a disk from the snapshot.`
  return <NewDisk key={name} project={project} filled={{ values: cloneOf(disk), note }} />
}

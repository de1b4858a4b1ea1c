import { createFileRoute } from '@tanstack/react-router'
import { formRoute } from '#/resource/address/routeOptions.tsx'
import { NewDisk } from './NewDisk.tsx'

export const Route = createFileRoute('/_auth/projects/$project/_in/_disks/disks-new')({
  ...formRoute('New disk'),
  component: CreateDisk,
})

function CreateDisk() {
  return <NewDisk project={Route.useParams().project} />
}

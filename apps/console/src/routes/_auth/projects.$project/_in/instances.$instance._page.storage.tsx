import { createFileRoute } from '@tanstack/react-router'
import HardDrive from 'lucide-react/icons/hard-drive'
import { useState } from 'react'
import { prefetch } from '../../../../api.ts'
import { useProjectRole } from '../../../../parts/access/useProjectRole.ts'
import { noBootDiskText, partDisks } from '../../../../parts/instance/bootDisk.ts'
import { useLoaded } from '../../../../parts/instance/useLoaded.ts'
import { guides } from '../../../../paths.ts'
import { Button } from '../../../../ui/Button.tsx'
import { ExternalLink } from '../../../../ui/link.tsx'
import { AttachDiskDialog, DiskForm } from './-instances/lazyForms.ts'
import { DiskCard } from './-instances/DiskCard.tsx'
import {
  addDiskRefusal,
  attachDisk,
  bootDiskActions,
  createAndAttachDisk,
  otherDiskActions,
} from './-instances/diskActions.tsx'
import { disksQuery, instanceQuery } from './-instances/queries.ts'

export const Route = createFileRoute('/_auth/projects/$project/_in/instances/$instance/_page/storage')({
  loader: ({ params }) => prefetch(disksQuery(params)),
  staticData: { crumb: { label: 'Storage' } },
  component: StorageTab,
})

function StorageTab() {
  const target = Route.useParams()
  const instance = useLoaded(instanceQuery(target))
  const disks = useLoaded(disksQuery(target)).items
  const [adding, setAdding] = useState<'new' | 'existing'>()
  const close = () => setAdding(undefined)
  const { boot, others } = partDisks(disks, instance.bootDiskId)
  const refused = useProjectRole(target.project).lacks('collaborator')
  const of = { target, instance, boot, refused }
  return (
    <div className="flex flex-col gap-5">
      <DiskCard
        project={target.project}
        title="Boot disk"
        disks={boot ? [boot] : []}
        actions={(disk) => bootDiskActions(disk, of)}
        empty={{
          title: 'No boot disk set',
          body: (
            <>
              {noBootDiskText(others)}{' '}
              <ExternalLink href={guides.disks.href}>Read about boot disks</ExternalLink>
            </>
          ),
        }}
      />
      <DiskCard
        project={target.project}
        title="Additional disks"
        disks={others}
        actions={(disk) => otherDiskActions(disk, of)}
        empty={{ title: 'No other disks', body: 'Attach a disk to see it here' }}
        buttons={
          <>
            <Button
              size="small"
              disabledReason={addDiskRefusal(of, disks.length, 'attach a disk')}
              onClick={() => setAdding('existing')}
            >
              Attach existing disk
            </Button>
            <Button
              size="small"
              disabledReason={addDiskRefusal(of, disks.length, 'create and attach a disk')}
              onClick={() => setAdding('new')}
            >
              Create disk
            </Button>
          </>
        }
      />
      {adding === 'existing' && (
        <AttachDiskDialog
          project={target.project}
          unavailableNames={disks.map(({ name }) => name)}
          onSubmit={async (name) => {
            await attachDisk(target, name)
            close()
          }}
          onDismiss={close}
        />
      )}
      {adding === 'new' && (
        <DiskForm
          project={target.project}
          animate
          resource={
            <>
              <HardDrive aria-hidden /> for {instance.name}
            </>
          }
          unavailableNames={disks.map(({ name }) => name)}
          onSubmit={async (body) => {
            await createAndAttachDisk(target, body)
            close()
          }}
          onDismiss={close}
        />
      )}
    </div>
  )
}

import { createFileRoute, useNavigate } from '@tanstack/react-router'
import HardDrive from 'lucide-react/icons/hard-drive'
import { useState } from 'react'
import { prefetch } from '../../../../api.ts'
import { useProjectRole } from '../../../../parts/access/useProjectRole.ts'
import { DiskPanel } from '../../../../parts/disk/DiskPanel.tsx'
import { AttachDiskDialog, DiskForm } from '../../../../parts/disk/lazyForms.ts'
import { useSnapshotForm } from '../../../../parts/disk/useSnapshotForm.tsx'
import { noBootDiskText, partDisks } from '../../../../parts/instance/bootDisk.ts'
import { useLoaded } from '../../../../parts/instance/useLoaded.ts'
import { things } from '../../../../parts/things.tsx'
import { guides, paths } from '../../../../paths.ts'
import { Button } from '../../../../ui/Button.tsx'
import { ExternalLink } from '../../../../ui/link.tsx'
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
  // The disk whose details are shown.
  validateSearch: ({ disk }: Record<string, unknown>): { disk?: string } =>
    typeof disk === 'string' ? { disk } : {},
  loader: ({ params }) =>
    prefetch(
      disksQuery(params),
      ...things.image(params.project).lists,
      ...things.snapshot(params.project).lists,
    ),
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
  const snapshot = useSnapshotForm(target.project)
  const of = { target, instance, boot, refused, take: snapshot.take }
  const here = paths.instanceTab(target, 'storage')
  const hrefOf = (disk: string) => `${here}?disk=${encodeURIComponent(disk)}`
  const navigate = useNavigate()
  const { disk: name } = Route.useSearch()
  const shown = disks.find((disk) => disk.name === name)
  return (
    <div className="flex flex-col gap-5">
      <DiskCard
        project={target.project}
        hrefOf={hrefOf}
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
        hrefOf={hrefOf}
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
      {snapshot.form}
      {shown && (
        <DiskPanel
          project={target.project}
          disk={shown}
          animate
          onDismiss={() => void navigate({ href: here, resetScroll: false })}
        />
      )}
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

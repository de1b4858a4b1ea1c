import { createFileRoute, useNavigate } from '@tanstack/react-router'
import HardDrive from 'lucide-react/icons/hard-drive'
import { useState } from 'react'
import { prefetch } from '#/api/query.ts'
import { useRole } from '#/resource/role/useRole.ts'
import { addDiskDisabledReason, attachDisk, attachRequest } from '#/features/disks/attachment.ts'
import { AttachDiskDialog, DiskForm, DiskPanel } from '#/features/disks/lazyForms.ts'
import { noBootDiskText, partDisks } from './storage/bootDisk.ts'
import { useLoaded } from '#/resource/form/useLoaded.ts'
import { guides, paths } from '#/lib/addresses.ts'
import { Button } from '#/ui/button/Button.tsx'
import { ExternalLink } from '#/ui/button/link.tsx'
import { DiskCard } from './storage/DiskCard.tsx'
import { createAndAttachDisk, createAndAttachRequests, instanceDiskActions } from './storage/diskActions.tsx'
import { disksQuery, instanceQuery } from './queries.ts'

export const Route = createFileRoute('/_auth/projects/$project/_in/instances/$instance/_page/storage')({
  // The disk whose details are shown.
  validateSearch: ({ disk }: Record<string, unknown>): { disk?: string } =>
    typeof disk === 'string' ? { disk } : {},
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
  const { lacks } = useRole(target.project)
  const of = { target, instance, boot }
  const here = paths.instanceTab(target, 'storage')
  const hrefOf = (disk: string) => `${here}?disk=${encodeURIComponent(disk)}`
  const navigate = useNavigate()
  const { disk: name } = Route.useSearch()
  const shown = disks.find((disk) => disk.name === name)
  const closePanel = () => navigate({ href: here, resetScroll: false })
  return (
    <div className="flex flex-col gap-5">
      <DiskCard
        project={target.project}
        hrefOf={hrefOf}
        title="Boot disk"
        disks={boot ? [boot] : []}
        actions={instanceDiskActions(of)}
        empty={{
          title: 'No boot disk set',
          body: (
            <>
              {noBootDiskText(others)}{' '}
              <ExternalLink href={guides.bootDisk.href}>Read about boot disks</ExternalLink>
            </>
          ),
        }}
      />
      <DiskCard
        project={target.project}
        hrefOf={hrefOf}
        title="Additional disks"
        isSelectable
        disks={others}
        actions={instanceDiskActions(of)}
        empty={{ title: 'No other disks', body: 'Attach a disk for data that should outlive the boot disk.' }}
        buttons={
          <>
            <Button
              size="small"
              disabledReason={
                lacks('collaborator') ?? addDiskDisabledReason(instance, disks.length, 'attach a disk')
              }
              onClick={() => setAdding('existing')}
            >
              Attach existing disk
            </Button>
            <Button
              size="small"
              disabledReason={
                lacks('collaborator') ??
                addDiskDisabledReason(instance, disks.length, 'create and attach a disk')
              }
              onClick={() => setAdding('new')}
            >
              Create disk
            </Button>
          </>
        }
      />
      {shown && (
        <DiskPanel
          project={target.project}
          disk={shown}
          actions={instanceDiskActions(of, closePanel)}
          animate
          onDismiss={() => void closePanel()}
        />
      )}
      {adding === 'existing' && (
        <AttachDiskDialog
          project={target.project}
          unavailableNames={disks.map(({ name }) => name)}
          onSubmit={async (disk) => {
            await attachDisk(target, disk.name)
            close()
          }}
          request={(disk) => attachRequest(target, disk)}
          onDismiss={close}
        />
      )}
      {adding === 'new' && (
        <DiskForm
          project={target.project}
          animate
          resource={{ icon: HardDrive, name: `for ${instance.name}` }}
          unavailableNames={disks.map(({ name }) => name)}
          onSubmit={async (body) => {
            await createAndAttachDisk(target, body)
            close()
          }}
          request={(body) => createAndAttachRequests(target, body)}
          onDismiss={close}
        />
      )}
    </div>
  )
}

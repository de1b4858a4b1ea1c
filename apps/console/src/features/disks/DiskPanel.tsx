import HardDrive from 'lucide-react/icons/hard-drive'
import { ActivityInPanel } from '#/features/audit-log/lazyActivity.ts'
import { sections } from '#/lib/addresses.ts'
import { lazily } from '#/lib/lazily.tsx'
import { Button } from '#/ui/button/Button.tsx'
import { DateTime } from '#/ui/value/DateTime.tsx'
import { descriptionProperty, idProperty, PropertiesTable } from '#/ui/value/PropertiesTable.tsx'
import { tagsProperty } from '#/resource/tags/tagsProperty.tsx'
import { SideModal } from '#/ui/overlay/SideModal.tsx'
import { Size } from '#/ui/value/Size.tsx'
import { DiskStateBadge } from '#/resource/list/StateBadge.tsx'
import { AttachedTo, DiskSource, DiskType, type Disk } from './disks.tsx'

const ScheduleInPanel = lazily(() => import('./schedule/ScheduleInPanel.tsx'), 'ScheduleInPanel')

export interface DiskPanelProps {
  project: string
  disk: Disk
  animate?: boolean
  onDismiss: () => void
}

/** The properties of a disk, in a panel above its list. */
export function DiskPanel({ project, disk, animate = false, onDismiss }: DiskPanelProps) {
  const properties = [
    idProperty(disk.id),
    descriptionProperty(disk.description),
    ...tagsProperty(disk, sections.disk.list(project)),
    { label: 'State', value: <DiskStateBadge state={disk.state.state} /> },
    { label: 'Attached to', value: <AttachedTo project={project} state={disk.state} /> },
    { label: 'Type', value: <DiskType disk={disk} /> },
    // A name only: panels do not lead to further panels.
    { label: 'Source', value: <DiskSource project={project} disk={disk} plain /> },
    { label: 'Size', value: <Size bytes={disk.size} /> },
    { label: 'Block size', value: <span className="mono">{disk.blockSize} B</span> },
    { label: 'Device path', value: <span className="mono wrap-anywhere">{disk.devicePath}</span> },
    { label: 'Created', value: <DateTime date={disk.timeCreated} /> },
    { label: 'Updated', value: <DateTime date={disk.timeModified} /> },
  ]
  return (
    <SideModal
      title="Disk"
      animate={animate}
      resource={{ icon: HardDrive, name: disk.name }}
      onDismiss={onDismiss}
      footer={<Button onClick={onDismiss}>Close</Button>}
    >
      <PropertiesTable columns={1} properties={properties} />
      <ScheduleInPanel project={project} disk={disk} />
      <ActivityInPanel resource={`disk:${disk.id}`} />
    </SideModal>
  )
}

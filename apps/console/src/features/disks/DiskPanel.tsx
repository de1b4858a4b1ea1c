import HardDrive from 'lucide-react/icons/hard-drive'
import { ActivityInPanel } from '#/features/audit-log/lazyActivity.ts'
import { sections } from '#/lib/addresses.ts'
import { lazily } from '#/lib/lazily.tsx'
import { useActions, type Action } from '#/resource/actions/actions.tsx'
import { Button } from '#/ui/button/Button.tsx'
import { DateTime } from '#/ui/value/DateTime.tsx'
import { ageProperty, descriptionProperty, idProperty, PropertiesTable } from '#/ui/value/PropertiesTable.tsx'
import { tagsProperty } from '#/resource/tags/tagsProperty.tsx'
import { MenuButton } from '#/ui/overlay/MenuButton.tsx'
import { SideModal } from '#/ui/overlay/SideModal.tsx'
import { Size } from '#/ui/value/Size.tsx'
import { Summary } from '#/ui/value/Summary.tsx'
import { DiskStateBadge } from '#/resource/list/StateBadge.tsx'
import { AttachedTo, DiskSource, DiskType, type Disk } from './disks.tsx'

const ScheduleInPanel = lazily(() => import('./schedule/ScheduleInPanel.tsx'), 'ScheduleInPanel')

export interface DiskPanelProps {
  project: string
  disk: Disk
  actions: readonly Action<Disk>[]
  animate?: boolean
  onDismiss: () => void
}

/** A disk and what can be done with it, in a panel above its list. */
export function DiskPanel({ project, disk, actions, animate = false, onDismiss }: DiskPanelProps) {
  const { menu, dialog } = useActions(actions, { project })
  const main = [
    { label: 'State', value: <DiskStateBadge state={disk.state.state} /> },
    { label: 'Size', value: <Size bytes={disk.size} /> },
    { label: 'Attached to', value: <AttachedTo project={project} state={disk.state} /> },
    ageProperty(disk.timeCreated),
  ]
  const rest = [
    descriptionProperty(disk.description),
    ...tagsProperty(disk, sections.disk.list(project)),
    { label: 'Type', value: <DiskType disk={disk} /> },
    // A name only: panels do not lead to further panels.
    { label: 'Source', value: <DiskSource project={project} disk={disk} plain /> },
    { label: 'Block size', value: <span className="mono">{disk.blockSize} B</span> },
    { label: 'Device path', value: <span className="mono wrap-anywhere">{disk.devicePath}</span> },
    { label: 'Created', value: <DateTime date={disk.timeCreated} /> },
    { label: 'Updated', value: <DateTime date={disk.timeModified} /> },
    idProperty(disk.id),
  ]
  return (
    <>
      <SideModal
        title="Disk"
        animate={animate}
        resource={{ icon: HardDrive, name: disk.name }}
        onDismiss={onDismiss}
        footer={
          <>
            <span className="mr-auto">
              <MenuButton label="Disk actions" items={menu(disk)}>
                Actions
              </MenuButton>
            </span>
            <Button onClick={onDismiss}>Close</Button>
          </>
        }
      >
        <Summary main={main} />
        <PropertiesTable columns={1} properties={rest} />
        <ScheduleInPanel project={project} disk={disk} />
        <ActivityInPanel resource={`disk:${disk.id}`} />
      </SideModal>
      {dialog}
    </>
  )
}

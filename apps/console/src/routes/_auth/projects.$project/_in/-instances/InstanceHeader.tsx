import type { ReactNode } from 'react'
import type { InstanceActions } from '../../../../../parts/instance/instanceActions.tsx'
import { guides } from '../../../../../paths.ts'
import { Button } from '../../../../../ui/Button.tsx'
import { DocsPopover } from '../../../../../ui/DocsPopover.tsx'
import { PageHeader } from '../../../../../ui/PageHeader.tsx'
import { PageMenu } from '../../../../../ui/PageMenu.tsx'
import { RefreshButton } from '../../../../../ui/RefreshButton.tsx'

export interface InstanceHeaderProps {
  icon: ReactNode
  title: string
  actions: InstanceActions
  onRefresh: () => unknown
}

/** The head of an instance's page: its name, the two actions most often needed, the rest in a menu. */
export function InstanceHeader({ icon, title, actions, onRefresh }: InstanceHeaderProps) {
  return (
    <PageHeader icon={icon} title={title}>
      <RefreshButton onRefresh={onRefresh} />
      <DocsPopover
        topic="instances"
        icon={icon}
        summary="Start and stop the instance, change its size and disks, and reach it by serial console or SSH."
        links={[guides.instances, guides.remoteAccess, guides.disks]}
      />
      <span aria-hidden className="mx-1 h-5 w-px bg-line" />
      {[actions.start, actions.stop].map(({ label, disabledReason, onAction }) => (
        <Button key={label} variant="ghost" disabledReason={disabledReason} onClick={onAction}>
          {label}
        </Button>
      ))}
      <PageMenu
        label="Instance actions"
        items={[actions.copyId, actions.reboot, actions.resize, actions.console, actions.delete]}
      />
    </PageHeader>
  )
}

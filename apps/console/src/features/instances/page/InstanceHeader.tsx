import type { InstanceState } from '@purlin/contract/rules/states'
import type { ReactNode } from 'react'
import type { MenuItem } from '#/ui/overlay/menuItems.ts'
import { guides } from '#/lib/addresses.ts'
import { Button } from '#/ui/button/Button.tsx'
import { DocsPopover } from '#/ui/overlay/DocsPopover.tsx'
import { PageHeader } from '#/ui/layout/PageHeader.tsx'
import { PageMenu } from '#/ui/overlay/PageMenu.tsx'
import { RefreshButton } from '#/ui/button/RefreshButton.tsx'

export interface InstanceHeaderProps {
  icon: ReactNode
  title: string
  runState: InstanceState
  /** Of all actions. */
  menu: readonly MenuItem[]
  onRefresh: () => unknown
}

/** The two actions most often needed. A guest that does not obey while it is asked to stop can be powered off. */
const buttonsOf = (runState: InstanceState): readonly string[] =>
  runState === 'stopping' ? ['Start', 'Force stop'] : ['Start', 'Stop']

/** The head of an instance's page: its name, the actions most often needed, the rest in a menu. */
export function InstanceHeader({ icon, title, runState, menu, onRefresh }: InstanceHeaderProps) {
  const buttons = buttonsOf(runState)
  const isButton = ({ label }: MenuItem) => buttons.includes(label)
  return (
    <PageHeader icon={icon} title={title}>
      <RefreshButton onRefresh={onRefresh} />
      <DocsPopover
        topic="instances"
        icon={icon}
        summary="Start and stop the instance, change its size and disks, and connect to it by serial console or SSH."
        links={[guides.instances, guides.remoteAccess, guides.disks]}
      />
      <span aria-hidden className="mx-1 h-5 w-px bg-line" />
      {menu.filter(isButton).map(({ label, disabledReason, ...item }) => (
        <Button
          key={label}
          variant="ghost"
          disabledReason={disabledReason}
          onClick={'onAction' in item ? item.onAction : undefined}
        >
          {label}
        </Button>
      ))}
      <PageMenu label="Instance actions" items={menu.filter((item) => !isButton(item))} />
    </PageHeader>
  )
}

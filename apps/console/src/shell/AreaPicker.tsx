import Boxes from 'lucide-react/icons/boxes'
import ChevronDown from 'lucide-react/icons/chevron-down'
import Server from 'lucide-react/icons/server'
import { sections } from '#/lib/addresses.ts'
import { MenuButton } from '#/ui/overlay/MenuButton.tsx'
import { systemHome } from './navigation.tsx'

/** Switches between the area of the silo and that of the fleet. */
export function AreaPicker({ isSystem }: { isSystem: boolean }) {
  const Icon = isSystem ? Server : Boxes
  return (
    <MenuButton
      label="Switch between system and silo"
      variant="ghost"
      items={[
        { label: 'System', href: systemHome, checked: isSystem },
        { label: 'Silo', href: sections.project.list(), checked: !isSystem },
      ]}
    >
      <Icon size={15} aria-hidden className="shrink-0" />
      <span className="max-frame:hidden">{isSystem ? 'System' : 'Silo'}</span>
      <ChevronDown size={13} aria-hidden />
    </MenuButton>
  )
}

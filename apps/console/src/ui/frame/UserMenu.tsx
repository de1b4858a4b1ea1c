import ChevronDown from 'lucide-react/icons/chevron-down'
import CircleUser from 'lucide-react/icons/circle-user'
import { MenuButton } from '#/ui/overlay/MenuButton.tsx'
import type { MenuSection } from '#/ui/overlay/menuItems.ts'
import { useDensitySection, useThemeSection, useZoneSection } from '#/ui/useTheme.ts'

/** 'User menu': settings, theme, clock, density of tables, sign-out. */
export function UserMenu({
  name = 'User',
  settingsHref,
  onSignOut,
  extra = [],
}: {
  name?: string | undefined
  settingsHref: string
  onSignOut: () => void
  extra?: readonly MenuSection[]
}) {
  const theme = useThemeSection()
  const zone = useZoneSection()
  const density = useDensitySection()
  const sections: MenuSection[] = [
    { items: [{ label: 'Settings', href: settingsHref }] },
    ...extra,
    theme,
    zone,
    density,
    { items: [{ label: 'Sign out', onAction: onSignOut }] },
  ]
  return (
    <MenuButton label={`User menu: ${name}`} sections={sections} variant="ghost">
      <CircleUser size={15} aria-hidden className="shrink-0" />
      <span className="max-w-40 truncate max-frame:hidden">{name}</span>
      <ChevronDown size={13} aria-hidden />
    </MenuButton>
  )
}

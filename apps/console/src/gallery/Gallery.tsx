import { useState, useSyncExternalStore } from 'react'
import Boxes from 'lucide-react/icons/boxes'
import Server from 'lucide-react/icons/server'
import { AppFrame } from '#/ui/frame/AppFrame.tsx'
import { HomeLink } from '#/ui/frame/HomeLink.tsx'
import { JumpButton } from '#/ui/frame/JumpButton.tsx'
import { NavGroup, SidebarNav } from '#/ui/frame/Sidebar.tsx'
import { TopBar } from '#/ui/frame/TopBar.tsx'
import { PathProvider } from '#/ui/layout/path.ts'
import { UserMenu } from '#/ui/frame/UserMenu.tsx'
import { Breadcrumbs } from '#/ui/layout/Breadcrumbs.tsx'
import { CommandPalette } from '#/ui/palette/CommandPalette.tsx'
import { IconButton } from '#/ui/button/IconButton.tsx'
import { Identicon } from '#/ui/value/Identicon.tsx'
import { MenuButton } from '#/ui/overlay/MenuButton.tsx'
import { themeStore } from '#/ui/theme.ts'
import { useTheme } from '#/ui/useTheme.ts'
import { ToastStack } from '#/ui/feedback/ToastStack.tsx'
import { Actions } from './Actions.tsx'
import { Charts } from './Charts.tsx'
import { Fields } from './Fields.tsx'
import { Overlays } from './Overlays.tsx'
import { Pages } from './Pages.tsx'
import { SignInSpecimen } from './SignInSpecimen.tsx'
import { Tables } from './Tables.tsx'
import { Values } from './Values.tsx'

const chapters = {
  actions: Actions,
  values: Values,
  tables: Tables,
  fields: Fields,
  overlays: Overlays,
  pages: Pages,
  charts: Charts,
}

const paletteItems = [
  { id: 'new', label: 'New instance', onAction: () => undefined },
  { id: 'i', label: 'Instances', group: "Project 'telemetry'", href: '#tables' },
  { id: 'd', label: 'Disks', group: "Project 'telemetry'", href: '#fields' },
  { id: 'w', label: 'collector-01', group: 'Go to instance', href: '#values' },
]

const readHash = () => window.location.hash.slice(1).split('/')[0] || 'actions'
const watchHash = (listener: () => void) => {
  window.addEventListener('hashchange', listener)
  return () => window.removeEventListener('hashchange', listener)
}

/** Every component in every state. `#chapter` chooses what is shown. */
export function Gallery() {
  const chapter = useSyncExternalStore(watchHash, readHash)
  const theme = useTheme()
  const [isJumping, setJumping] = useState(false)
  if (chapter === 'sign-in') return <SignInSpecimen />
  const Chapter = Object.entries(chapters).find(([name]) => name === chapter)?.[1] ?? Actions
  const links = [...Object.keys(chapters), 'sign-in'].map((name) => ({
    label: name,
    href: `#${name}`,
    icon: <Boxes />,
  }))
  return (
    <PathProvider value={`#${chapter}`}>
      <AppFrame
        home={
          <HomeLink
            href="#actions"
            icon={<Identicon name="engineering" />}
            heading="Silo"
            name="engineering"
          />
        }
        sidebar={
          <>
            <JumpButton onPress={() => setJumping(true)} className="mb-2" />
            <SidebarNav>
              <NavGroup
                items={[{ label: 'Docs', href: 'https://example.org', external: true, icon: <Server /> }]}
              />
              <NavGroup title="Design system of Purlin, shortened" items={links} />
            </SidebarNav>
          </>
        }
        topBar={
          <TopBar
            controls={
              <>
                <IconButton
                  label="Switch theme"
                  onClick={() => themeStore.set(theme === 'dark' ? 'light' : 'dark')}
                >
                  ◐
                </IconButton>
                <MenuButton
                  label="Switch between system and silo"
                  items={[
                    { label: 'System', href: '#pages', checked: false },
                    { label: 'Silo', href: '#actions', checked: true },
                  ]}
                >
                  Silo
                </MenuButton>
                <UserMenu name="hanna.okafor" settingsHref="#fields" onSignOut={() => undefined} />
              </>
            }
          >
            <Breadcrumbs
              crumbs={[
                { label: 'engineering', href: '#actions' },
                { label: 'Gallery', href: '#values' },
                { label: chapter, href: `#${chapter}` },
              ]}
            />
          </TopBar>
        }
      >
        <Chapter />
        {isJumping && <CommandPalette items={paletteItems} onDismiss={() => setJumping(false)} />}
        <ToastStack />
      </AppFrame>
    </PathProvider>
  )
}

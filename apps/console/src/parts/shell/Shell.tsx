/** The console's frame with what the API knows of the person: who, which silo, which places. */
import { currentUserView } from '@purlin/contract/operations/session'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useMatches, useRouterState } from '@tanstack/react-router'
import BookOpen from 'lucide-react/icons/book-open'
import type { ReactNode } from 'react'
import { query } from '../../api.ts'
import { guides, paths } from '../../paths.ts'
import { AppFrame } from '../../ui/frame/AppFrame.tsx'
import { HomeLink } from '../../ui/frame/HomeLink.tsx'
import { JumpButton } from '../../ui/frame/JumpButton.tsx'
import { NavGroup, SidebarNav, type NavItem } from '../../ui/frame/Sidebar.tsx'
import { TopBar } from '../../ui/frame/TopBar.tsx'
import { UserMenu } from '../../ui/frame/UserMenu.tsx'
import { Breadcrumbs } from '../../ui/Breadcrumbs.tsx'
import { Identicon } from '../../ui/Identicon.tsx'
import { InFrame } from './InFrame.ts'
import { openPalette } from './palette.ts'
import { PreviewBanner } from './PreviewBanner.tsx'
import { useCrumbs } from '../useCrumbs.ts'
import { useSignOut } from '../useSignOut.ts'
import { useQuickActions } from '../quickActions.ts'

export interface ShellProps {
  /** Links above the divider. */
  top?: readonly NavItem[]
  heading: string
  items: readonly NavItem[]
  /** The palette's word for this group of places. */
  group: string
  children: ReactNode
}

const docs: NavItem = { label: 'Docs', href: guides.quickStart.href, icon: <BookOpen />, external: true }

export function Shell({ top = [], heading, items, group, children }: ShellProps) {
  const { data: me } = useSuspenseQuery(query(currentUserView, {}))
  const path = useRouterState({ select: (state) => state.location.pathname })
  const locked = useMatches({ select: (matches) => matches.some((match) => match.staticData.locked) })
  const { bar } = useCrumbs()
  const signOut = useSignOut()
  const silo = `Silo '${me.siloName}'`
  useQuickActions(
    [
      ...items.map(({ label, href }) => ({ label, href, group })),
      ...top.map(({ label, href }) => ({ label, href, group: silo })),
      ...bar
        .slice(0, -1)
        .filter((crumb) => !top.some(({ href }) => href === crumb.href))
        .map((crumb) => ({ ...crumb, group: 'Go up' })),
      ...(group === 'Settings' ? [] : [{ label: 'Settings', group: 'User', href: paths.profile }]),
    ],
    'layout',
  )
  const sidebar = (
    <>
      <JumpButton onPress={openPalette} className="mb-2" />
      <SidebarNav>
        <NavGroup items={[...top, docs]} path={path} />
        <NavGroup title={heading} items={items} path={path} />
      </SidebarNav>
    </>
  )
  return (
    <AppFrame
      home={
        <HomeLink
          href={paths.projects}
          icon={<Identicon name={me.siloName} size={28} />}
          heading="Silo"
          name={me.siloName}
        />
      }
      sidebar={sidebar}
      topBar={
        <TopBar
          controls={<UserMenu name={me.displayName} settingsHref={paths.profile} onSignOut={signOut.run} />}
        >
          <Breadcrumbs crumbs={bar} />
        </TopBar>
      }
      banner={<PreviewBanner />}
      locked={locked}
      path={path}
    >
      <InFrame value>{children}</InFrame>
    </AppFrame>
  )
}

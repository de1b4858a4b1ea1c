/** The frame of the console with the signed-in user, the silo and the sections. */
import { currentUserView } from '@purlin/contract/operations/access/sessions'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useMatches } from '@tanstack/react-router'
import BookOpen from 'lucide-react/icons/book-open'
import Server from 'lucide-react/icons/server'
import { useEffect, type ReactNode } from 'react'
import { query } from '#/api/query.ts'
import { guides, paths, sections } from '#/lib/addresses.ts'
import { lazily } from '#/lib/lazily.tsx'
import { useStore } from '#/lib/store.ts'
import { AppFrame } from '#/ui/frame/AppFrame.tsx'
import { HomeLink } from '#/ui/frame/HomeLink.tsx'
import { JumpButton } from '#/ui/frame/JumpButton.tsx'
import { NavGroup, SidebarNav, type NavItem } from '#/ui/frame/Sidebar.tsx'
import { TopBar } from '#/ui/frame/TopBar.tsx'
import { UserMenu } from '#/ui/frame/UserMenu.tsx'
import { Breadcrumbs, type Crumb } from '#/ui/layout/Breadcrumbs.tsx'
import { Identicon } from '#/ui/value/Identicon.tsx'
import { ActivityButton } from './activity/ActivityButton.tsx'
import { AreaPicker } from './AreaPicker.tsx'
import { ConnectionLine, useIsLost } from './notices/ConnectionLine.tsx'
import { FavouriteButton } from './FavouriteButton.tsx'
import { InFrame } from './InFrame.ts'
import { projectsItem, settings, settingsNavigation, systemHome } from './navigation.tsx'
import { openPalette } from '#/resource/address/palette.ts'
import { favouriteStore, noteVisit } from '#/resource/address/recent.ts'
import { useRowKeys } from '#/resource/list/rowKeys.ts'
import { usePlaceKeys } from './placeKeys.ts'
import { PreviewBanner } from './notices/PreviewBanner.tsx'
import { useCrumbs } from './useCrumbs.ts'
import { useSignOut } from './useSignOut.ts'
import { useQuickActions } from '#/resource/actions/quickActions.ts'

export interface ShellProps {
  /** True in the area of operators. */
  isSystem?: boolean
  /** Links above the divider. */
  top?: readonly NavItem[]
  heading: string
  items: readonly NavItem[]
  /** The heading of these entries in the palette. */
  group: string
  children: ReactNode
}

const docs: NavItem = { label: 'Docs', href: guides.home.href, icon: <BookOpen />, external: true }

/** Notes the pages of resources, with all that is below them: the innermost crumb that is a name from the address. */
function useRecentVisits(bar: readonly Crumb[]): void {
  const names = Object.values(useMatches().at(-1)?.params ?? {})
  const crumbs = bar.slice(0, bar.findLastIndex(({ label }) => names.includes(label)) + 1)
  const href = crumbs.at(-1)?.href
  const labels = crumbs.map(({ label }) => label).join('\n')
  useEffect(() => {
    if (href !== undefined) noteVisit(href, labels.split('\n'))
  }, [href, labels])
}

/** Where one can go from here, for the palette. */
function PlacesInPalette({
  isSystem,
  top,
  items,
  group,
}: Required<Omit<ShellProps, 'heading' | 'children'>>) {
  const { data: me } = useSuspenseQuery(query(currentUserView, { query: {} }))
  const { bar } = useCrumbs()
  useRecentVisits(bar)
  usePlaceKeys(top, items)
  useRowKeys()
  const mayManage = me.fleetViewer && !isSystem
  useQuickActions(
    [
      ...items.map(({ label, href }) => ({ label, href, group })),
      ...(isSystem ? [{ ...projectsItem, group: `Back to silo '${me.siloName}'` }] : []),
      ...top.map(({ label, href }) => ({ label, href, group: `Silo '${me.siloName}'` })),
      ...bar
        .slice(0, -1)
        .filter((crumb) => !top.some(({ href }) => href === crumb.href))
        .map((crumb) => ({ ...crumb, group: 'Go up' })),
      ...(group === settings
        ? []
        : settingsNavigation.map(({ label, href }) => ({ label, href, group: settings }))),
      ...(mayManage ? [{ label: 'Manage system', group: 'System', href: systemHome }] : []),
    ],
    'layout',
  )
  return null
}

const FavouriteLinks = lazily(() => import('./favourites/FavouriteLinks.tsx'), 'FavouriteLinks')
const Favourites = () => useStore(favouriteStore).length > 0 && <FavouriteLinks />

const Crumbs = () => <Breadcrumbs crumbs={useCrumbs().bar} />

/** Does not render again with each page: what shows where one is asks for it by itself. */
export function Shell({ isSystem = false, top = [], heading, items, group, children }: ShellProps) {
  const { data: me } = useSuspenseQuery(query(currentUserView, { query: {} }))
  const locked = useMatches({ select: (matches) => matches.some((match) => match.staticData.locked) })
  const signOut = useSignOut()
  const sidebar = (
    <>
      <JumpButton onPress={openPalette} className="mb-2" />
      <SidebarNav>
        <NavGroup items={[...top, docs]} />
        <NavGroup title={heading} items={items} />
        <Favourites />
      </SidebarNav>
    </>
  )
  return (
    <AppFrame
      home={
        isSystem ? (
          <HomeLink href={systemHome} icon={<Server size={20} />} heading="Purlin" name="System" />
        ) : (
          <HomeLink
            href={sections.project.list()}
            icon={<Identicon name={me.siloName} size={28} />}
            heading="Silo"
            name={me.siloName}
          />
        )
      }
      sidebar={sidebar}
      topBar={
        <TopBar
          controls={
            <>
              {me.fleetViewer && <AreaPicker isSystem={isSystem} />}
              <ActivityButton />
              <UserMenu name={me.displayName} settingsHref={paths.profile} onSignOut={signOut.run} />
            </>
          }
        >
          <div className="flex min-w-0 items-center gap-1">
            <Crumbs />
            <FavouriteButton />
          </div>
        </TopBar>
      }
      banner={
        <>
          <PreviewBanner />
          <ConnectionLine />
        </>
      }
      isStale={useIsLost()}
      locked={locked}
    >
      <InFrame value>{children}</InFrame>
      <PlacesInPalette isSystem={isSystem} top={top} items={items} group={group} />
    </AppFrame>
  )
}

/** The entries of the sidebar by area, also used by the palette. */
import ArchiveRestore from 'lucide-react/icons/archive-restore'
import BellRing from 'lucide-react/icons/bell-ring'
import Boxes from 'lucide-react/icons/boxes'
import CircleUser from 'lucide-react/icons/circle-user'
import CircleArrowUp from 'lucide-react/icons/circle-arrow-up'
import Eraser from 'lucide-react/icons/eraser'
import FileArchive from 'lucide-react/icons/file-archive'
import Gauge from 'lucide-react/icons/gauge'
import LayoutDashboard from 'lucide-react/icons/layout-dashboard'
import LockKeyhole from 'lucide-react/icons/lock-keyhole'
import Network from 'lucide-react/icons/network'
import Radar from 'lucide-react/icons/radar'
import Receipt from 'lucide-react/icons/receipt-text'
import ScrollText from 'lucide-react/icons/scroll-text'
import ShieldCheck from 'lucide-react/icons/shield-check'
import TriangleAlert from 'lucide-react/icons/triangle-alert'
import Users from 'lucide-react/icons/users'
import { networkTabs, paths, sections, type SectionScope } from '#/lib/addresses.ts'
import { lazily } from '#/lib/lazily.tsx'
import type { Kind } from '#/resource/kind.ts'
import { kinds, sectionsOf, sectionsOfProject } from '#/resource/kinds.ts'
import type { NavItem } from '#/ui/frame/Sidebar.tsx'

// Of operators only.
const IssueCount = lazily(() => import('./IssueCount.tsx'), 'IssueCount')

const itemOf = ({ title, icon: Icon, section }: Kind, project?: string): NavItem => ({
  label: title,
  href: section.list(project),
  icon: <Icon />,
})
const plainIn = (scope: SectionScope) => sectionsOf(scope).map((kind) => itemOf(kind))
export const projectsItem = itemOf(kinds.project)

export const siloNavigation: readonly NavItem[] = [
  ...plainIn('silo'),
  itemOf({ ...kinds.instance, section: sections.siloInstance }),
  itemOf({ ...kinds.image, section: sections.siloImage }),
  { label: 'Utilization', href: paths.utilization, icon: <Gauge /> },
  { label: 'Usage', href: paths.usage, icon: <Receipt /> },
  {
    label: 'Silo Access',
    href: sections.siloAccess.list(),
    also: [sections.certificate.list()],
    icon: <Users />,
  },
]

/** Operators see the probes of a project as well, if they see the project. */
export const projectNavigation = (project: string, isOperator: boolean): readonly NavItem[] => [
  { label: 'Overview', href: paths.overview(project), icon: <LayoutDashboard /> },
  ...sectionsOfProject.map((kind) => itemOf(kind, project)),
  ...(isOperator ? [{ label: 'Probes', href: sections.probe.list(project), icon: <Radar /> }] : []),
  { label: 'Project Access', href: sections.access.list(project), icon: <Users /> },
  { label: 'Usage', href: paths.projectUsage(project), icon: <Receipt /> },
  {
    label: 'Clean Up',
    href: paths.cleanUp(project),
    also: [paths.cleanUps(project)],
    icon: <Eraser />,
  },
  { label: 'Activity', href: paths.projectActivity(project), icon: <ScrollText /> },
]

/** The entries for those who run the fleet. */
export const systemNavigation: readonly NavItem[] = [
  { label: 'Overview', href: paths.systemOverview, icon: <LayoutDashboard /> },
  itemOf(kinds.silo),
  { label: 'Issues', href: paths.issues, icon: <TriangleAlert />, aside: <IssueCount /> },
  { label: 'Alerts', href: paths.activeAlerts, also: [paths.alerts], icon: <BellRing /> },
  { label: 'Utilization', href: paths.systemUtilization, icon: <Gauge /> },
  { label: 'Usage', href: paths.systemUsage, icon: <Receipt /> },
  { label: 'Inventory', href: sections.sled.list(), also: [paths.inventory], icon: <Boxes /> },
  itemOf(kinds.ipPool),
  {
    label: 'Network',
    href: networkTabs[0].href,
    also: networkTabs.map(({ href }) => href),
    icon: <Network />,
  },
  { label: 'System Update', href: paths.systemUpdate, icon: <CircleArrowUp /> },
  { label: 'Backup', href: paths.backup, icon: <ArchiveRestore /> },
  { label: 'Support Bundles', href: sections.supportBundle.list(), icon: <FileArchive /> },
  ...plainIn('fleet'),
  { label: 'Fleet Access', href: sections.fleetAccess.list(), icon: <Users /> },
  { label: 'Audit Log', href: paths.auditLog, icon: <ScrollText /> },
]
/** Where their area begins. */
export const systemHome = paths.systemOverview

/** The heading of the settings of the user in the palette. */
export const settings = 'Settings'
export const settingsNavigation: readonly NavItem[] = [
  { label: 'Profile', href: paths.profile, icon: <CircleUser /> },
  { label: 'Second Factor', href: paths.secondFactor, icon: <ShieldCheck /> },
  { label: 'Password', href: paths.password, icon: <LockKeyhole /> },
  ...plainIn('siloUser'),
]

/** The places of each area: sidebar and palette are made from these rows. */
import CircleUser from 'lucide-react/icons/circle-user'
import Folder from 'lucide-react/icons/folder'
import HardDrive from 'lucide-react/icons/hard-drive'
import KeyRound from 'lucide-react/icons/key-round'
import Server from 'lucide-react/icons/server'
import Users from 'lucide-react/icons/users'
import { paths } from '../../paths.ts'
import type { NavItem } from '../../ui/frame/Sidebar.tsx'

export const projectsPlace: NavItem = { label: 'Projects', href: paths.projects, icon: <Folder /> }

export const siloPlaces: readonly NavItem[] = [projectsPlace]

export const projectPlaces = (project: string): readonly NavItem[] => [
  { label: 'Instances', href: paths.instances(project), icon: <Server /> },
  { label: 'Disks', href: paths.disks(project), icon: <HardDrive /> },
  {
    label: 'Project Access',
    href: paths.projectAccess(project),
    icon: <Users />,
    activePrefix: paths.projectAccessNew(project),
  },
]

export const settingsPlaces: readonly NavItem[] = [
  { label: 'Profile', href: paths.profile, icon: <CircleUser /> },
  { label: 'SSH Keys', href: paths.sshKeys, icon: <KeyRound /> },
]

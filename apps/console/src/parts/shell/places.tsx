/** The places of each area: sidebar and palette are made from these rows. */
import Camera from 'lucide-react/icons/camera'
import CircleUser from 'lucide-react/icons/circle-user'
import Folder from 'lucide-react/icons/folder'
import Globe from 'lucide-react/icons/globe'
import HardDrive from 'lucide-react/icons/hard-drive'
import Images from 'lucide-react/icons/images'
import KeyRound from 'lucide-react/icons/key-round'
import Server from 'lucide-react/icons/server'
import Split from 'lucide-react/icons/split'
import Users from 'lucide-react/icons/users'
import { paths } from '../../paths.ts'
import type { NavItem } from '../../ui/frame/Sidebar.tsx'

export const projectsPlace: NavItem = { label: 'Projects', href: paths.projects, icon: <Folder /> }

export const siloPlaces: readonly NavItem[] = [
  projectsPlace,
  { label: 'Images', href: paths.siloImages, icon: <Images /> },
]

export const projectPlaces = (project: string): readonly NavItem[] => [
  { label: 'Instances', href: paths.instances(project), icon: <Server /> },
  { label: 'Disks', href: paths.disks(project), icon: <HardDrive /> },
  {
    label: 'Snapshots',
    href: paths.snapshots(project),
    icon: <Camera />,
    activePrefix: paths.snapshotNew(project),
  },
  {
    label: 'Images',
    href: paths.projectImages(project),
    icon: <Images />,
    activePrefix: paths.projectImageNew(project),
  },
  {
    label: 'Floating IPs',
    href: paths.floatingIps(project),
    icon: <Globe />,
    activePrefix: paths.floatingIpNew(project),
  },
  {
    label: 'Affinity Groups',
    href: paths.affinity(project),
    icon: <Split />,
    activePrefix: paths.affinityNew(project),
  },
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

/** Well-known cloud images. Their publishers keep these addresses for the latest build. */

export interface CloudImage {
  /** The name of the image, unless the user chooses another one. */
  name: string
  title: string
  os: string
  version: string
  /** Host and path, with https. */
  address: string
}

export const cloudImages: readonly CloudImage[] = [
  {
    name: 'debian-13',
    title: 'Debian 13',
    os: 'debian',
    version: '13',
    address: 'cloud.debian.org/images/cloud/trixie/latest/debian-13-genericcloud-amd64.qcow2',
  },
  {
    name: 'debian-12',
    title: 'Debian 12',
    os: 'debian',
    version: '12',
    address: 'cloud.debian.org/images/cloud/bookworm/latest/debian-12-genericcloud-amd64.qcow2',
  },
  {
    name: 'ubuntu-24-04',
    title: 'Ubuntu 24.04 LTS',
    os: 'ubuntu',
    version: '24.04',
    address: 'cloud-images.ubuntu.com/noble/current/noble-server-cloudimg-amd64.img',
  },
  {
    name: 'ubuntu-22-04',
    title: 'Ubuntu 22.04 LTS',
    os: 'ubuntu',
    version: '22.04',
    address: 'cloud-images.ubuntu.com/jammy/current/jammy-server-cloudimg-amd64.img',
  },
  {
    name: 'rocky-9',
    title: 'Rocky Linux 9',
    os: 'rocky',
    version: '9',
    address: 'dl.rockylinux.org/pub/rocky/9/images/x86_64/Rocky-9-GenericCloud-Base.latest.x86_64.qcow2',
  },
  {
    name: 'almalinux-9',
    title: 'AlmaLinux 9',
    os: 'almalinux',
    version: '9',
    address:
      'repo.almalinux.org/almalinux/9/cloud/x86_64/images/AlmaLinux-9-GenericCloud-latest.x86_64.qcow2',
  },
  {
    name: 'centos-stream-9',
    title: 'CentOS Stream 9',
    os: 'centos',
    version: '9',
    address:
      'cloud.centos.org/centos/9-stream/x86_64/images/CentOS-Stream-GenericCloud-9-latest.x86_64.qcow2',
  },
  {
    name: 'opensuse-15-6',
    title: 'openSUSE Leap 15.6',
    os: 'opensuse',
    version: '15.6',
    address:
      'download.opensuse.org/distribution/leap/15.6/appliances/openSUSE-Leap-15.6-Minimal-VM.x86_64-Cloud.qcow2',
  },
  {
    name: 'arch',
    title: 'Arch Linux',
    os: 'arch',
    version: 'rolling',
    address: 'geo.mirror.pkgbuild.com/images/latest/Arch-Linux-x86_64-cloudimg.qcow2',
  },
]

export const urlOf = ({ address }: Pick<CloudImage, 'address'>): string => `https://${address}`

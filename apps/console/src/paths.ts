/** Addresses of the console, each made in one place. */
const part = encodeURIComponent
const project = (name: string) => `/projects/${part(name)}`
const instance = (of: { project: string; instance: string }) =>
  `${project(of.project)}/instances/${part(of.instance)}`

/** The tabs of an instance's page. */
export type InstanceTab =
  | 'storage'
  | 'networking'
  | 'metrics/cpu'
  | 'metrics/disk'
  | 'metrics/network'
  | 'connect'
  | 'settings'

export const paths = {
  projects: '/projects',
  projectNew: '/projects-new',
  projectEdit: (name: string) => `${project(name)}/edit`,
  instances: (name: string) => `${project(name)}/instances`,
  instanceNew: (name: string) => `${project(name)}/instances-new`,
  instance: (of: { project: string; instance: string }) => `${instance(of)}/storage`,
  instanceTab: (of: { project: string; instance: string }, tab: InstanceTab) => `${instance(of)}/${tab}`,
  serialConsole: (of: { project: string; instance: string }) => `${instance(of)}/serial-console`,
  disks: (name: string) => `${project(name)}/disks`,
  diskNew: (name: string) => `${project(name)}/disks-new`,
  disk: (of: { project: string; disk: string }) => `${project(of.project)}/disks/${part(of.disk)}`,
  snapshots: (name: string) => `${project(name)}/snapshots`,
  snapshotNew: (name: string) => `${project(name)}/snapshots-new`,
  snapshot: (of: { project: string; snapshot: string }) =>
    `${project(of.project)}/snapshots/${part(of.snapshot)}`,
  snapshotImageNew: (of: { project: string; snapshot: string }) =>
    `${project(of.project)}/snapshots/${part(of.snapshot)}/images-new`,
  projectImages: (name: string) => `${project(name)}/images`,
  projectImageNew: (name: string) => `${project(name)}/images-new`,
  projectImage: (of: { project: string; image: string }) => `${project(of.project)}/images/${part(of.image)}`,
  siloImages: '/images',
  siloImage: (name: string) => `/images/${part(name)}`,
  floatingIps: (name: string) => `${project(name)}/floating-ips`,
  floatingIpNew: (name: string) => `${project(name)}/floating-ips-new`,
  floatingIpEdit: (of: { project: string; floatingIp: string }) =>
    `${project(of.project)}/floating-ips/${part(of.floatingIp)}/edit`,
  affinity: (name: string) => `${project(name)}/affinity`,
  affinityNew: (name: string) => `${project(name)}/affinity-new`,
  antiAffinityGroup: (of: { project: string; antiAffinityGroup: string }) =>
    `${project(of.project)}/affinity/${part(of.antiAffinityGroup)}`,
  antiAffinityGroupEdit: (of: { project: string; antiAffinityGroup: string }) =>
    `${project(of.project)}/affinity/${part(of.antiAffinityGroup)}/edit`,
  projectAccess: (name: string) => `${project(name)}/access`,
  projectAccessNew: (name: string) => `${project(name)}/access-new`,
  projectAccessEdit: (of: { project: string; identity: string }) =>
    `${project(of.project)}/access/${part(of.identity)}/edit`,
  profile: '/settings/profile',
  sshKeys: '/settings/ssh-keys',
  sshKeyNew: '/settings/ssh-keys-new',
  sshKey: (name: string) => `/settings/ssh-keys/${part(name)}/edit`,
}

const docsBase = 'https://docs.purlin.example/guides'
/** Guides outside the product, by topic. */
export const guides = {
  keyConcepts: { label: 'Key Concepts', href: `${docsBase}/key-concepts` },
  projects: { label: 'Projects', href: `${docsBase}/projects` },
  instances: { label: 'Instances', href: `${docsBase}/instances` },
  remoteAccess: { label: 'Remote Access', href: `${docsBase}/remote-access` },
  disks: { label: 'Disks and Snapshots', href: `${docsBase}/disks-and-snapshots` },
  accessControl: { label: 'Access Control', href: `${docsBase}/access-control` },
  sshKeys: { label: 'SSH Keys', href: `${docsBase}/ssh-keys` },
  networking: { label: 'Networking', href: `${docsBase}/networking` },
  floatingIps: { label: 'Floating IPs', href: `${docsBase}/floating-ips` },
  affinity: { label: 'Anti-affinity Groups', href: `${docsBase}/affinity` },
  metrics: { label: 'Metrics', href: `${docsBase}/metrics` },
  imageRequirements: { label: 'Preparing Images', href: `${docsBase}/preparing-images` },
  images: { label: 'Images', href: `${docsBase}/images` },
  quickStart: { label: 'Quick Start', href: `${docsBase}/quick-start` },
}

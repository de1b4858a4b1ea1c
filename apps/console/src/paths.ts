/** Addresses of the console, each made in one place. */
const part = encodeURIComponent
const project = (name: string) => `/projects/${part(name)}`
const instance = (of: { project: string; instance: string }) =>
  `${project(of.project)}/instances/${part(of.instance)}`

export const paths = {
  projects: '/projects',
  projectNew: '/projects-new',
  projectEdit: (name: string) => `${project(name)}/edit`,
  instances: (name: string) => `${project(name)}/instances`,
  instanceNew: (name: string) => `${project(name)}/instances-new`,
  instance: (of: { project: string; instance: string }) => `${instance(of)}/storage`,
  instanceTab: (of: { project: string; instance: string }, tab: 'storage' | 'connect' | 'settings') =>
    `${instance(of)}/${tab}`,
  serialConsole: (of: { project: string; instance: string }) => `${instance(of)}/serial-console`,
  disks: (name: string) => `${project(name)}/disks`,
  diskNew: (name: string) => `${project(name)}/disks-new`,
  disk: (of: { project: string; disk: string }) => `${project(of.project)}/disks/${part(of.disk)}`,
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
  images: { label: 'Images', href: `${docsBase}/images` },
  quickStart: { label: 'Quick Start', href: `${docsBase}/quick-start` },
}

/** The steps to the first running instance, in words, and where each leads. */
import type { StepName } from '@purlin/contract/operations/access/first-steps'
import { paths, sections, withBack } from '#/lib/addresses.ts'

export interface Step {
  step: StepName
  done: boolean
  permitted: boolean
}

interface Words {
  title: string
  /** Why it is needed. */
  reason: string
  /** The subject of a request to an administrator. */
  request: string
}
export const words: Readonly<Record<StepName, Words>> = {
  address_pool: {
    title: 'Create the default IP pool',
    reason: 'Instances get their external addresses from it.',
    request: 'a default IP pool',
  },
  project: {
    title: 'Create a project',
    reason: 'It contains instances, disks and networks.',
    request: 'a project',
  },
  image: {
    title: 'Import an image',
    reason: 'The disk of an instance begins as a copy of one, such as Debian.',
    request: 'an image',
  },
  instance: {
    title: 'Create an instance',
    reason: 'A virtual machine, with a serial console.',
    request: 'an instance',
  },
  people: {
    title: 'Invite people',
    reason: 'Add users, or let them sign in with an identity provider.',
    request: 'users',
  },
  certificate: {
    title: 'Add a certificate',
    reason: 'Browsers then trust the address of the silo.',
    request: 'a certificate',
  },
  backup: {
    title: 'Set up backups',
    reason: 'Without one, a broken disk loses everything.',
    request: 'backups',
  },
}

/** Where a step is done; undefined if another one has to come first. `project` is one that the user sees. */
export function hrefOf(step: StepName, project: string | undefined): string | undefined {
  const start = sections.project.list()
  switch (step) {
    case 'address_pool':
      return withBack(sections.ipPool.create(), start)
    case 'project':
      return withBack(sections.project.create(), start)
    case 'image':
      return project === undefined ? undefined : withBack(paths.imageImport(project), start)
    case 'instance':
      return project === undefined ? undefined : sections.instance.create(project)
    case 'people':
      return paths.users
    case 'certificate':
      return sections.certificate.list()
    case 'backup':
      return paths.backup
  }
}

/** True if there is nothing to show: all is done, or the user does not want to see it. */
export const isOver = ({ dismissed, steps }: { dismissed: boolean; steps: readonly Step[] }): boolean =>
  dismissed || steps.every(({ done }) => done)

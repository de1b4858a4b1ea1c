import { QueryClientProvider } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { queryClient } from '#/api/query.ts'
import { MissingDisk } from '#/features/disks/MissingDisk.tsx'
import { ImportImage } from '#/features/images/import/MissingImage.tsx'
import { MissingPool } from '#/features/ip-pools/MissingPool.tsx'
import { MissingSubnet } from '#/features/vpc-subnets/MissingSubnet.tsx'
import { MissingVpc } from '#/features/vpcs/MissingVpc.tsx'
import { HowToGet } from '#/resource/form/Missing.tsx'
import { ownQueries } from '#/resource/role/useRole.ts'
import { BootHint, PromoteHint } from './bootHints.tsx'

const project = 'demo'
const onMade = () => undefined
const person = {
  id: '1',
  displayName: 'a member',
  siloId: '2',
  siloName: 'engineering',
  fleetViewer: false,
  siloAdmin: false,
}

/** The markup for members with a role on the silo, and so on each project. */
function shownTo(role: 'viewer' | 'collaborator', part: ReactNode): string {
  const me = { ...person, siloRole: role, projectRole: role, fleetRole: null }
  for (const { queryKey } of [ownQueries.me(), ownQueries.in(project)]) queryClient.setQueryData(queryKey, me)
  return renderToStaticMarkup(<QueryClientProvider client={queryClient}>{part}</QueryClientProvider>)
}

interface Lack {
  of: string
  part: () => ReactNode
  /** The advice for viewers. */
  ask: string
  /** The way for collaborators, who ask too if there is none. */
  way?: string
}

const lacks: readonly Lack[] = [
  {
    of: 'an image',
    part: () => <ImportImage project={project} />,
    ask: 'for an image.',
    way: 'Import image',
  },
  {
    of: 'a silo image',
    part: () => <PromoteHint />,
    ask: 'to promote a project image.',
    way: 'Promote a project image to see it here.',
  },
  {
    of: 'an image and a disk',
    part: () => <BootHint project={project} />,
    ask: 'for an image or a disk.',
    way: 'Import an image or create a disk first.',
  },
  {
    of: 'the source of a disk',
    part: () => (
      <HowToGet noun="snapshot" project={project}>
        Take one of a disk first.
      </HowToGet>
    ),
    ask: 'for a snapshot.',
    way: 'Take one of a disk first.',
  },
  {
    of: 'a disk',
    part: () => <MissingDisk project={project} onMade={onMade} />,
    ask: 'for a disk.',
    way: 'Create disk',
  },
  {
    of: 'a VPC',
    part: () => (
      <MissingVpc project={project} onMade={onMade}>
        There is none.
      </MissingVpc>
    ),
    ask: 'for a VPC.',
    way: 'Create VPC',
  },
  {
    of: 'a subnet',
    part: () => (
      <MissingSubnet scope={{ project, vpc: 'default' }} onMade={onMade}>
        There is none.
      </MissingSubnet>
    ),
    ask: 'for a subnet.',
    way: 'Create subnet',
  },
  { of: 'an IP pool', part: () => <MissingPool onMade={onMade} />, ask: 'for an IP pool.' },
]

it.each(lacks)(
  'a form that lacks $of says whom to ask, and leads those there who may',
  ({ part, ask, way }) => {
    const forViewers = shownTo('viewer', part())
    expect(forViewers).toContain(`Ask an administrator ${ask}`)
    // No way that leads nowhere.
    expect(forViewers).not.toMatch(/<(?:button|a)\b/)
    if (way !== undefined) expect(forViewers).not.toContain(way)
    expect(shownTo('collaborator', part())).toContain(way ?? `Ask an administrator ${ask}`)
  },
)

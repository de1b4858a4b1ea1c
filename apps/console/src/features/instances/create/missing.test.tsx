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

/** The markup for members with a role on the silo, and so on each project. */
function shownTo(role: 'viewer' | 'collaborator', part: ReactNode): string {
  const me = { siloRole: role, projectRole: role, fleetRole: null }
  for (const { queryKey } of [ownQueries.me(), ownQueries.in(project)])
    queryClient.setQueryData<unknown>(queryKey, me)
  return renderToStaticMarkup(<QueryClientProvider client={queryClient}>{part}</QueryClientProvider>)
}

/** Lacks of forms, the advice for viewers, and the way for collaborators, who ask too if there is none. */
const lacks: readonly [string, ReactNode, ask: string, way?: string][] = [
  ['an image to boot from', <ImportImage project={project} />, 'for an image.', 'Import image'],
  ['a silo image', <PromoteHint />, 'to promote a project image.', 'Promote a project image to see it here.'],
  [
    'an image and a disk',
    <BootHint project={project} />,
    'for an image or a disk.',
    'Import an image or create a disk first.',
  ],
  [
    'the source of a disk',
    <HowToGet noun="snapshot" project={project}>
      Take one of a disk first.
    </HowToGet>,
    'for a snapshot.',
    'Take one of a disk first.',
  ],
  ['a disk', <MissingDisk project={project} onMade={onMade} />, 'for a disk.', 'Create disk'],
  [
    'a VPC',
    <MissingVpc project={project} onMade={onMade}>
      There is none.
    </MissingVpc>,
    'for a VPC.',
    'Create VPC',
  ],
  [
    'a subnet',
    <MissingSubnet scope={{ project, vpc: 'default' }} onMade={onMade}>
      There is none.
    </MissingSubnet>,
    'for a subnet.',
    'Create subnet',
  ],
  ['an IP pool', <MissingPool onMade={onMade} />, 'for an IP pool.'],
]

it.each(lacks)(
  'a form that lacks %s says whom to ask, and leads those there who may',
  (_, part, ask, way) => {
    const forViewers = shownTo('viewer', part)
    expect(forViewers).toContain(`Ask an administrator ${ask}`)
    // No way that leads nowhere.
    expect(forViewers).not.toMatch(/<(?:button|a)\b/)
    if (way !== undefined) expect(forViewers).not.toContain(way)
    expect(shownTo('collaborator', part)).toContain(way ?? `Ask an administrator ${ask}`)
  },
)

import { expect, it } from 'vitest'
import type { MapNode } from '../building/bundle.ts'
import { addressesOf } from '../building/bundle.ts'
import { isAt, journeyOf } from './screens.ts'

const index = (file: string): MapNode => ({ type: 'index', file })
const layout = (id: string, file: string, children: MapNode[]): MapNode => ({
  type: 'layout',
  id,
  file,
  children,
})
const route = (path: string, file: string, children: MapNode[] = []): MapNode => ({
  type: 'route',
  path,
  file,
  children,
})

const map = layout('_frame', 'frame.tsx', [
  layout('_disks', 'disks/list.tsx', [
    route('/disks/$disk', 'disks/detail.tsx'),
    route('/disks-new', 'disks/create.tsx'),
  ]),
  route('/instances', 'crumb.tsx', [
    index('instances/list.tsx'),
    route('/$instance', 'instance.tsx', [index('instances/home.tsx'), route('/storage', 'storage.tsx')]),
  ]),
  route('/groups/$group', 'group.tsx', [route('/edit', 'edit.tsx')]),
])

it('an address is a page with a file: not a frame around pages, nor what only leads to another', () => {
  const pages = addressesOf(map).filter(({ isHome }) => !isHome)
  expect(pages.map(({ path }) => path)).toEqual([
    '/disks',
    '/disks/$disk',
    '/disks-new',
    '/instances',
    '/instances/$instance/storage',
    '/groups/$group',
    '/groups/$group/edit',
  ])
})

it('lists are distinguished from their parent layouts', () => {
  const lists = addressesOf(map).filter(({ isList }) => isList)
  expect(lists.map(({ path }) => path)).toEqual(['/disks', '/instances'])
})

it('a screen is at an address whatever its parameters and its search are', () => {
  expect(isAt('/disks/data?find=x', '/disks/$disk')).toBe(true)
  expect(isAt('/disks-new', '/disks/$disk')).toBe(false)
  expect(isAt('/disks/data/edit', '/disks/$disk')).toBe(false)
})

it('a list has the journey of its section', () => {
  expect(journeyOf('/projects/$project/floating-ips')).toBe('floating-ips.spec.ts')
  expect(journeyOf('/projects')).toBe('projects.spec.ts')
  expect(journeyOf('/settings/ssh-keys')).toBe('settings.spec.ts')
  expect(journeyOf('/system/networking/ip-pools')).toBe('ip-pools.spec.ts')
  expect(journeyOf('/system/silos')).toBe('silos.spec.ts')
})

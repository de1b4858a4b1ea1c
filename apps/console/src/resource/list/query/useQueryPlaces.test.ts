import { expect, it } from 'vitest'
import { otherPlaces, queryPlaces } from './useQueryPlaces.ts'

const shop = { path: '/projects/shop/disks', params: { project: 'shop' }, isOperator: false }
const hrefs = (text: string) => queryPlaces(text, shop).map(({ href }) => href)

it('leads to the lists with all columns of a query', () => {
  expect(hrefs('web memory>16GiB')).toEqual(['/projects/shop/instances?find=web&filter=memory%3A%3E16GiB'])
  expect(hrefs('size>1TiB state:detached')).toEqual([
    '/projects/shop/disks?filter=size%3A%3E1TiB%2Cstate%3Adetached',
  ])
  expect(hrefs('created<7d').length).toBeGreaterThan(4)
})

it('leads to the list of the silo outside of projects', () => {
  const outside = { ...shop, path: '/projects', params: {} }
  expect(queryPlaces('memory>16GiB', outside)[0]).toMatchObject({
    label: 'Instances: memory>16GiB',
    href: '/instances?filter=memory%3A%3E16GiB',
  })
})

it('leads nowhere for words alone, and for words that are wrong', () => {
  expect(hrefs('web')).toEqual([])
  expect(hrefs('memory>16GB')).toEqual([])
})

it('leads to the audit log with its columns, and not with words to find', () => {
  expect(otherPlaces('audit-log-entry', 'operation:disk_delete -result:error', shop)).toMatchObject([
    {
      label: 'Audit Log: operation:disk_delete -result:error',
      href: '/access/audit-log?filter=operation%3Adisk_delete%2C-result%3Aerror',
    },
  ])
  const inSystem = { ...shop, path: '/system/silos', isOperator: true }
  expect(otherPlaces('audit-log-entry', 'time<7d', inSystem)[0]?.href).toBe(
    '/system/audit-log?filter=time%3A%3C7d',
  )
  expect(otherPlaces('audit-log-entry', 'web time<7d', shop)).toEqual([])
  expect(otherPlaces('audit-log-entry', 'memory>4GiB', shop)).toEqual([])
})

it('leads to the tasks with theirs', () => {
  expect(otherPlaces('task', 'state:failed items>10', shop)).toMatchObject([
    { label: 'Tasks: state:failed items>10', href: '/tasks?filter=state%3Afailed%2Citems%3A%3E10' },
  ])
  expect(otherPlaces('task', 'operation:disk_delete', shop)).toEqual([])
})

import { expect, it } from 'vitest'
import { queryPlaces } from './useQueryPlaces.ts'

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

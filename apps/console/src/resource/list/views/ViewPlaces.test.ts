import { expect, it } from 'vitest'
import { listOf, type From } from './ViewPlaces.tsx'

const from = (change: Partial<From> = {}): From => ({
  path: '/projects/shop/disks',
  params: { project: 'shop' },
  isOperator: false,
  ...change,
})
const hrefOf = (...args: Parameters<typeof listOf>) => listOf(...args)?.href
const inSilo = { path: '/projects', params: {} }

it('a view leads to the list in the project that is shown, or else to that of all projects', () => {
  expect(hrefOf('instance', from())).toBe('/projects/shop/instances')
  expect(hrefOf('instance', from(inSilo))).toBe('/instances')
  expect(hrefOf('image', from(inSilo))).toBe('/images')
  expect(hrefOf('disk', from(inSilo))).toBeUndefined()
})

it('a view of what is in a VPC is offered there only', () => {
  expect(hrefOf('vpc-subnet', from())).toBeUndefined()
  expect(hrefOf('vpc-subnet', from({ params: { project: 'shop', vpc: 'back' } }))).toBe(
    '/projects/shop/vpcs/back/subnets',
  )
})

it('views of lists of operators are for them', () => {
  expect(hrefOf('silo', from())).toBeUndefined()
  expect(hrefOf('silo', from({ isOperator: true }))).toBe('/system/silos')
  expect(hrefOf('audit-log-entry', from({ isOperator: true }))).toBe('/access/audit-log')
  expect(hrefOf('audit-log-entry', from({ isOperator: true, path: '/system/silos' }))).toBe(
    '/system/audit-log',
  )
})

it('lists of what is of no kind have places as well', () => {
  expect(hrefOf('silo-user', from())).toBe('/access/users')
  expect(hrefOf('device-access-token', from())).toBe('/settings/access-tokens')
  expect(hrefOf('task', from())).toBe('/tasks')
  expect(hrefOf('ssh-key', from())).toBe('/settings/ssh-keys')
})

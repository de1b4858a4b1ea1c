import { expect, it } from 'vitest'
import { addressOf, anywhere, pageOf } from './pageOf.ts'

const id = '6f0e8f4e-0000-4000-8000-000000000001'
const parent = (type: string, name: string) => ({ type, id, name })
const project = parent('project', 'web')
const vpc = parent('vpc', 'net')

it.each([
  ['project', [], '/projects/one/instances'],
  ['silo-image', [], '/images/one'],
  ['instance', [project], '/projects/web/instances/one/storage'],
  ['disk', [project], '/projects/web/disks/one'],
  ['project-image', [project], '/projects/web/images/one'],
  ['floating-ip', [project], `/projects/web/floating-ips?marked=${id}`],
  ['vpc-subnet', [project, vpc], `/projects/web/vpcs/net/subnets?marked=${id}`],
  [
    'router-route',
    [project, vpc, parent('vpc-router', 'main')],
    `/projects/web/vpcs/net/routers/main?marked=${id}`,
  ],
  [
    'instance-network-interface',
    [project, parent('instance', 'shop')],
    '/projects/web/instances/shop/networking',
  ],
  ['affinity-group', [project], '/projects/web/instances'],
  ['silo', [], '/system/silos/one'],
  ['ip-pool', [], '/system/networking/ip-pools/one'],
  ['silo-user', [], `/access/users/${id}`],
  ['silo-group', [], `/access/groups/${id}`],
  ['ssh-key', [], `/settings/ssh-keys?marked=${id}`],
  ['certificate', [], `/certificates?marked=${id}`],
  ['device-access-token', [], `/settings/access-tokens?marked=${id}`],
  ['scim-client-bearer-token', [], undefined],
])('%s has an address', (type, parents, href) => {
  expect(addressOf({ type, id, name: 'one', parents })).toBe(href)
})

it('leads to what is known by its id alone', () => {
  expect(anywhere({ type: 'disk', id, name: 'one' })).toBe(`/lookup/${id}`)
  expect(anywhere({ type: 'project', id, name: 'one' })).toBe(`/lookup/${id}`)
  expect(anywhere({ type: 'silo', id, name: 'one' })).toBe('/system/silos/one')
  expect(anywhere({ type: 'ssh-key', id, name: 'one' })).toBeUndefined()
  expect(anywhere({ type: 'scim-client-bearer-token', id, name: id })).toBeUndefined()
})

it('a row without an id is shown by its form, or else in its list', () => {
  expect(pageOf('sshKey', { name: 'laptop' })).toBe('/settings/ssh-keys/laptop/edit')
  expect(pageOf('accessToken', { name: '' })).toBe('/settings/access-tokens')
})

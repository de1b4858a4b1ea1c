import { expect, it } from 'vitest'
import { pathRows } from './roleRows.ts'

const silo = { level: 'silo', resourceId: 's', resourceName: 'acme' } as const

it('each way to a role is a row that says where it comes from', () => {
  const until = new Date(5)
  const group = { id: 'g', displayName: 'ops' }
  const inherited = {
    ...silo,
    roleName: 'collaborator',
    through: 'inherited',
    group,
    timeExpires: until,
  } as const
  const own = {
    level: 'project',
    resourceId: 'p',
    resourceName: 'web',
    roleName: 'viewer',
    through: 'assigned',
  } as const
  const rows = pathRows({
    items: [
      {
        level: 'fleet',
        resourceId: 'f',
        resourceName: null,
        role: 'viewer',
        paths: [{ ...silo, roleName: 'admin', through: 'mapped' }],
      },
      { level: 'project', resourceId: 'p', resourceName: 'web', role: 'admin', paths: [own, inherited] },
    ],
  })
  expect(rows.map(({ on, role, isFirst, words }) => [on, role, isFirst, words])).toEqual([
    ['Fleet', 'viewer', true, 'admin of the silo acme, to which the silo gives this role'],
    ['Project web', 'admin', true, 'viewer, assigned here'],
    ['Project web', 'admin', false, 'collaborator of the silo acme, which projects inherit'],
  ])
  expect(rows[2]).toMatchObject({ group, expires: until })
  expect(rows[1]).toMatchObject({ group: null, expires: null })
})

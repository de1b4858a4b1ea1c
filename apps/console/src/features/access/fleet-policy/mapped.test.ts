import { expect, it } from 'vitest'
import { mappedRows } from './mapped.ts'

it('roles that silos give: by silo, the strongest first', () => {
  const rows = mappedRows([
    { id: '2', name: 'west', mappedFleetRoles: {} },
    { id: '1', name: 'ops', mappedFleetRoles: { viewer: ['viewer'], admin: ['viewer', 'admin'] } },
    { id: '3', name: 'north', mappedFleetRoles: { collaborator: ['viewer'] } },
  ])
  expect(rows.map(({ silo, from, to }) => `${silo} ${from} ${to}`)).toEqual([
    'north collaborator viewer',
    'ops admin admin',
    'ops admin viewer',
    'ops viewer viewer',
  ])
  expect(new Set(rows.map(({ key }) => key)).size).toBe(rows.length)
})

import { expect, it } from 'vitest'
import { holderRows, keyWords, neededWords } from './answers.ts'
import { questionSearch } from './search.ts'

it('the requirements of an operation are worded', () => {
  expect(neededWords({ allow: ['project.collaborator'] })).toBe('the collaborator role on the project')
  expect(neededWords({ allow: ['self', 'silo.admin'] })).toBe(
    'to be the user that it is about, or the admin role on the silo',
  )
  expect(neededWords({ allow: ['silo.member'] })).toBe('any role on the silo or on one of its projects')
})

it('the keys of a service account that may not do it say why', () => {
  const key = { id: 'k', readOnly: false, projectId: null, projectName: null }
  expect(
    keyWords({
      keys: [
        { ...key, name: 'all', refusedBy: null },
        { ...key, name: 'look', refusedBy: 'read_only' },
        { ...key, name: 'shop', projectName: 'storefront', refusedBy: 'project' },
        { ...key, name: 'gone', refusedBy: 'project' },
      ],
    }),
  ).toEqual([
    'Not with the key look: it only reads.',
    'Not with the key shop: it is for the project storefront only.',
    'Not with the key gone: it is for another project only.',
  ])
  expect(keyWords({ keys: null })).toEqual([])
})

it('a user has a row for each way, the first with the name', () => {
  const onSilo = { level: 'silo', resourceId: 's', resourceName: 'acme', roleName: 'admin' } as const
  const group = { id: 'g', displayName: 'crew' }
  const rows = holderRows({
    items: [
      {
        id: 'a',
        displayName: 'ada',
        siloId: 's',
        paths: [
          { ...onSilo, through: 'assigned' },
          { ...onSilo, group, through: 'inherited' },
        ],
      },
      { id: 'b', displayName: 'bo', siloId: 's', paths: [] },
    ],
  })
  expect(rows.map(({ name, isFirst, words }) => [name, isFirst, words])).toEqual([
    ['ada', true, 'admin, assigned on the silo acme'],
    ['ada', false, 'admin of the silo acme, which projects inherit'],
    ['bo', true, 'needs no role'],
  ])
  expect(rows[1]?.group).toEqual(group)
  expect(new Set(rows.map(({ key }) => key)).size).toBe(3)
})

it('an address has only the parts of a question that its page knows', () => {
  const question = { operation: 'disk_delete', resource: 'disk:1', person: 'p' }
  expect(questionSearch({ ...question, other: 'x', page: '' })).toEqual(question)
  expect(questionSearch({ operation: 'x'.repeat(201), person: 7 })).toEqual({})
})

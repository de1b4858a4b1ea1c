import { expect, it } from 'vitest'
import { markWords, operationWords, resultOf, statusWords, whatWords } from './entries.tsx'

it.each([
  [{ kind: 'success', httpStatusCode: 204 }, 'done', '204'],
  [{ kind: 'error', httpStatusCode: 403, errorMessage: '' }, 'refused', 'forbidden (403)'],
  [{ kind: 'error', httpStatusCode: 507, errorMessage: '' }, 'failed', 'storage full (507)'],
  [{ kind: 'error', httpStatusCode: 418, errorMessage: '' }, 'refused', '418'],
] as const)('the result %j reads %s, in its details %s', (result, word, status) => {
  expect(resultOf(result).word).toBe(word)
  expect(statusWords(result.httpStatusCode)).toBe(status)
})

it.each([
  ['disk_delete', 'Deleted disk'],
  ['vpc_firewall_rules_update', 'Edited VPC firewall rules'],
  ['login_local', 'Signed in with a password'],
  ['networking_bgp_config_create', 'Created BGP config'],
  ['disk_frobnicate', 'Disk frobnicate'],
])('%s reads: %s', (operation, words) => {
  expect(operationWords(operation)).toBe(words)
})

it.each([
  [
    'vpc_firewall_rules_update',
    { type: 'vpc', name: 'shop' },
    [
      { field: 'rules_added', before: null, after: 'allow-web' },
      { field: 'rules_removed', before: 'ssh-all', after: null },
    ],
    'Added rule allow-web, removed rule ssh-all',
    'Edited VPC shop (added rule allow-web, removed rule ssh-all)',
  ],
  [
    'vpc_router_route_update',
    { type: 'router-route', name: 'out' },
    [{ field: 'destination', before: '10.1.0.0/16', after: 'subnet web' }],
    'Changed the destination from 10.1.0.0/16 to subnet web',
    'Changed the destination of route out from 10.1.0.0/16 to subnet web',
  ],
  [
    'policy_update',
    { type: 'silo', name: 'acme' },
    [{ field: 'roles_given', before: null, after: 'viewer to group ops' }],
    'Gave role viewer to group ops',
    'Gave role viewer to group ops on silo acme',
  ],
] as const)('%s reads the same in rows and marks', (operationId, { type, name }, changes, row, mark) => {
  const object = { type, id: 'one', nameBefore: name, nameAfter: name, changes: [...changes] }
  expect(whatWords({ operationId, objects: [object] })).toBe(row)
  expect(markWords({ operationId, objects: [object] })).toBe(mark)
})

import { expect, it } from 'vitest'
import { isRecorded, type OpShape } from '@purlin/contract/op'
import { operations } from '@purlin/contract/operations'
import { snake } from '@purlin/contract/wire'
import { hasDoneWords } from './doneWords.ts'
import { mainObject, operationWords, resultOf, statusWords } from './entries.tsx'

const object = (type: string, name: string, after: string | null = name, before: string | null = name) => ({
  type,
  id: `${type} ${name}`,
  nameBefore: before,
  nameAfter: after,
})
const web = object('instance', 'web-01')
const boot = object('disk', 'web-01-boot')

it.each([
  ['instance_update', [web, boot], web],
  ['instance_create', [object('disk', 'boot', 'boot', null), { ...web, nameBefore: null }], 'web-01'],
  ['disk_delete', [web, { ...boot, nameAfter: null }], 'web-01-boot'],
  ['vpc_subnet_create', [object('vpc', 'default'), object('vpc-subnet', 'a', 'a', null)], 'a'],
  ['image_demote', [object('project', 'demo'), object('project-image', 'debian')], 'debian'],
  ['instance_start', [], undefined],
  // An operation of no kind is about what it changed.
  ['login_local', [object('silo', 'main'), object('silo-user', 'dana')], 'dana'],
])('%s is mostly about one of the objects that it names', (operationId, objects, main) => {
  const found = mainObject({ operationId, objects })
  if (typeof main === 'object') expect(found).toBe(main)
  else expect(found?.nameBefore ?? found?.nameAfter).toBe(main)
})

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

it('has words for every operation that is recorded', () => {
  const names = Object.entries<OpShape>(operations).filter(([, op]) => isRecorded(op))
  expect(names.map(([name]) => snake(name)).filter((name) => !hasDoneWords(name))).toEqual([])
})

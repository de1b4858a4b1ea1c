import { expect, it } from 'vitest'
import { operationWords, resultOf, statusWords } from './entries.tsx'

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

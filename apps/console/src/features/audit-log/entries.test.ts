import { expect, it } from 'vitest'
import { mainObject, statusWords } from './entries.tsx'

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
  [{ kind: 'success', httpStatusCode: 204 }, 'done 204'],
  [{ kind: 'error', httpStatusCode: 403 }, 'forbidden 403'],
  [{ kind: 'error', httpStatusCode: 507 }, 'storage full 507'],
  [{ kind: 'error', httpStatusCode: 418 }, 'failed 418'],
] as const)('the result %j reads: %s', (result, words) => {
  expect(statusWords(result)).toBe(words)
})

/** Of our own: the roll-out of the target release, component by component. */
import { op } from '#/op.ts'
import { componentStates, rollOutPhases, unitKinds } from '#/rules/updates.ts'
import { array, enumOf, integer, nullable, object, optional, ref, string, time, unlimited } from '#/schema.ts'
import { inOrder, page } from '#/schemas/page.ts'
import { Uuid } from '#/schemas/scalar.ts'
import { Version } from './version.ts'

const tag = 'system/update'
const root = '/v1/system/update'
const read = { method: 'GET', allow: 'fleet.viewer', ok: 200, tag } as const
const change = { method: 'POST', allow: 'fleet.admin', ok: 204, tag } as const
const text = string(unlimited)

/** A part of the rack that is updated at once. A sled is emptied before. */
const unit = { kind: enumOf(unitKinds), id: Uuid, serial: text }

/** Further fields of the status. */
export const progress = {
  paused: optional(nullable(time())),
  waitsFor: optional(nullable(text)),
  waitsSince: optional(nullable(time())),
  step: optional(nullable(ref('UpdateStep', object({ ...unit, phase: enumOf(rollOutPhases), since: time() })))),
  next: optional(nullable(ref('UpdateUnit', object(unit)))),
}

export const systemUpdateComponentList = op({
  ...read, path: `${root}/components`, query: object(inOrder),
  response: ref('UpdateComponentResultsPage', page(ref('UpdateComponent', object({
    id: Uuid, component: text, unit: ref('UpdateUnit', object(unit)),
    version: nullable(text), wanted: nullable(text), state: enumOf(componentStates), since: time(),
  })))),
})
export const systemUpdatePlan = op({
  ...read, path: `${root}/plan`, query: object({ ...inOrder, systemVersion: Version }),
  response: ref('UpdatePlanResultsPage', page(ref('UpdatePlanItem', object({
    ...unit, instances: integer({ min: 0, format: 'uint32' }),
    components: array(object({ component: text, version: nullable(text) }), unlimited),
  })))),
})
export const systemUpdatePause = op({ ...change, path: `${root}/pause` })
export const systemUpdateResume = op({ ...change, path: `${root}/resume` })

import { GiB } from '@purlin/contract/rules/limits'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { withoutRequest } from '#/context.ts'
import { insertNamed } from '#/resources/kind/rows.ts'
import { inDb } from '#/testing/networks/networks.ts'
import { openWorld, type TestWorld, type Who } from '#/testing/world.ts'

let w: TestWorld
beforeAll(async () => {
  w = await openWorld()
})
afterAll(() => w.close())

/** Each step with `+` if it is done, and in brackets if the caller may not do it. */
async function stepsOf(who: Who): Promise<string> {
  const { steps } = await w.as(who).firstStepsView({})
  return steps
    .map(({ step, done, permitted }) => `${done ? '+' : ''}${permitted ? step : `(${step})`}`)
    .join(' ')
}

it('the steps follow from what exists, and from the roles of the caller', async () => {
  expect(await stepsOf('noRole')).toBe('')
  expect(await stepsOf('projectViewer')).toBe('+(address_pool) +(project) (image) (instance)')
  expect(await stepsOf('projectCollaborator')).toBe('+(address_pool) +(project) image instance')
  expect(await stepsOf('collaborator')).toBe('+(address_pool) +project image instance')
  expect(await stepsOf('admin')).toBe('+(address_pool) +project image instance +people certificate')
  expect(await stepsOf('fleetAdmin')).toMatch(/address_pool .*backup$/)
})

it('an image and an instance that the caller sees count', async () => {
  const query = { project: 'demo' }
  const projectId = w.ids['demo'] ?? ''
  const named = { id: w.world.ids.uuid(), name: 'base', description: '', timeCreated: 1, timeModified: 1 }
  const scope = { siloId: w.ids['acme'] ?? '', projectId, scopeId: projectId }
  const rest = {
    os: '',
    version: '',
    size: GiB,
    blockSize: 512,
    layerId: null,
    digest: null,
    digestDueAt: null,
    isProtected: null,
    timeLastUsed: 0,
    tagsJson: null,
  }
  await inDb(w, (tx) =>
    insertNamed({ ...withoutRequest(tx), world: w.world }, 'image', { ...named, ...scope, ...rest }),
  )
  const body = { name: 'web', description: '', ncpus: 1, memory: GiB, hostname: 'web', start: false }
  await w.as('admin').instanceCreate({ query, body })
  expect(await stepsOf('projectViewer')).toBe('+(address_pool) +(project) +(image) +(instance)')
  expect(await stepsOf('stranger')).not.toContain('+image')
})

it('each user dismisses them alone, and can have them back', async () => {
  const dismissed = async (who: Who) => (await w.as(who).firstStepsView({})).dismissed
  expect(await dismissed('admin')).toBe(false)
  await w.as('admin').firstStepsUpdate({ body: { dismissed: true } })
  expect((await w.as('admin').firstStepsUpdate({ body: { dismissed: true } })).dismissed).toBe(true)
  expect([await dismissed('admin'), await dismissed('viewer')]).toEqual([true, false])
  await w.as('admin').firstStepsUpdate({ body: { dismissed: false } })
  expect(await dismissed('admin')).toBe(false)
})

import { ApiError } from '@purlin/contract/client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openWorld, type TestWorld, type Who } from '#/testing/world.ts'

let w: TestWorld
beforeAll(async () => {
  w = await openWorld()
})
afterAll(() => w.close())

const query = 'get virtual_machine:nothing | last 1'
const ofProject = (who: Who, text = query, project = 'demo') =>
  w.as(who).timeseriesQuery({ query: { project }, body: { query: text } })
const ofFleet = (who: Who, text = query) => w.as(who).systemTimeseriesQuery({ body: { query: text } })
const refusal = (attempt: Promise<unknown>) =>
  attempt.then(
    () => null,
    (error: unknown) => (error instanceof ApiError ? error : null),
  )
const unknown = {
  status: 400,
  code: 'InvalidRequest',
  message: 'Timeseries not found for: virtual_machine:nothing',
}

describe('permission to query', () => {
  it.each<Who>(['admin', 'collaborator', 'viewer', 'projectAdmin', 'projectCollaborator', 'projectViewer'])(
    '%s asks about the project',
    async (who) => expect(await refusal(ofProject(who))).toMatchObject(unknown),
  )
  it.each<Who>(['noRole', 'fleetAdmin', 'stranger'])('%s does not see the project: 404', async (who) => {
    expect(await refusal(ofProject(who))).toMatchObject({ status: 404 })
  })
  it('a project is needed: 400', async () => {
    const body = JSON.stringify({ query })
    const { status, json } = await w.raw({ method: 'POST', url: '/v1/timeseries/query', who: 'admin', body })
    expect([status, json.message]).toEqual([400, expect.stringContaining('project')])
  })
  it('only fleet viewers query the whole fleet, others get 403', async () => {
    expect(await refusal(ofFleet('fleetAdmin'))).toMatchObject(unknown)
    for (const who of ['admin', 'projectAdmin', 'noRole'] as const)
      expect(await refusal(ofFleet(who))).toMatchObject({ status: 403 })
  })
  it('without a session: 401', async () => {
    expect(await refusal(w.anonymous.systemTimeseriesQuery({ body: { query } }))).toMatchObject({
      status: 401,
    })
  })
  it('a caller without permission learns nothing about the query', async () => {
    expect(await refusal(ofFleet('admin', 'no query'))).toMatchObject({ status: 403 })
  })
})

describe('refused queries', () => {
  it('is refused with the whole text: 400', async () => {
    const error = await refusal(ofProject('viewer', 'get a:b |\n filter x = 5'))
    expect(error).toMatchObject({ status: 400, code: 'InvalidRequest' })
    expect(error?.message).toBe(
      'Error at 2:11: ..  filter x = 5 ..\n                            ^\nExpected: a comparison',
    )
  })
  it('a query may have 4096 characters', async () => {
    const long = await refusal(ofProject('viewer', `get a:b | filter x == '${'y'.repeat(4100)}'`))
    expect(long).toMatchObject({ status: 400, message: 'Queries must be <= 4096 characters' })
  })
})

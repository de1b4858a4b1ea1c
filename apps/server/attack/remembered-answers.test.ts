import { afterEach, expect, it } from 'vitest'
import { killAll, newFolder } from '../testing/children.ts'
import { flood } from '../testing/flood.ts'
import { addSession, fillFolder } from '../testing/prepared.ts'
import { serve } from '../testing/process.ts'
import { clientOf } from '../testing/requests.ts'

afterEach(killAll)

it('a flood of sessions and addresses does not fill the memory', async () => {
  const folder = newFolder().path
  const first = await fillFolder(folder)
  const sessions = Array.from({ length: 16 }, () => addSession(folder))
  const server = await serve({ folder, args: ['--log-level', 'error'] })
  const api = clientOf(server.url, first)
  const description = 'd'.repeat(512)
  for (let i = 0; i < 300; i++) await api.projectCreate({ body: { name: `p${i}`, description } })
  const answers = { 200: 0 }
  for (const cookie of sessions) {
    // Many spellings of one question, and some questions.
    const path = (serial: number) =>
      `/v1/projects?limit=${serial % 10 === 0 ? 290 + (serial % 9) : 300}&spelling=${serial}`
    const { statuses } = await flood(
      server.url,
      (serial) => (serial < 200 ? { path: path(serial), headers: { cookie } } : undefined),
      { connections: 8, ms: 60_000 },
    )
    answers[200] += statuses[200] ?? 0
  }
  expect(answers).toEqual({ 200: 3200 })
  expect((server.memory()?.peak ?? 0) / 1e6).toBeLessThan(600)
}, 120_000)

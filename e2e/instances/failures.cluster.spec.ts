import { row } from '../support/actions.ts'
import { expectState, makeDisk, makeInstance, openIn } from '../support/prepare.ts'
import { expect, test } from '../support/world.ts'

// The server that it ends is not started again.
test.use({ siteOf: 'failures of servers' })

test('pages go on, and instances start and have consoles, after a server has been killed', async ({
  page,
  own,
  api,
  site,
  troubles,
}) => {
  // The requests that were with it.
  troubles.allow(/ERR_|502|Failed to fetch|WebSocket/)
  const project = await own('survives')
  const query = { project }
  await makeInstance(api, { project, name: 'web' })
  // With several streams, each server most probably has one.
  const pages = [page, await page.context().newPage(), await page.context().newPage()]
  for (const one of pages) await one.goto(`/projects/${project}/disks`)
  await makeDisk(api, project, 'before')
  for (const one of pages) await expect(row(one, 'before')).toBeVisible()

  const [killed = 0] = site.servers
  process.kill(killed, 'SIGKILL')
  await expect.poll(() => isAlive(killed)).toBe(false)
  await makeDisk(api, project, 'after')
  for (const one of pages) await expect(row(one, 'after')).toBeVisible()

  await api.instanceStart({ params: { instance: 'web' }, query })
  await expectState(api, { project, name: 'web' }, 'running')
  await openIn(page, project, 'instances/web/serial-console')
  await expect(page.getByText('connected', { exact: true })).toBeVisible()
})

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

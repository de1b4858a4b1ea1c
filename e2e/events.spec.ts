import { button, heading, row } from './support/actions.ts'
import { makeDisk, makeFloatingIp, makeInstance, openIn } from './support/prepare.ts'
import { expect, test } from './support/world.ts'

test('a person sees in lists, without a reload, what another user creates, starts, renames and deletes, and the page sends no requests without changes', async ({
  page,
  own,
  api,
}) => {
  const project = await own('watched')
  const query = { project }
  await openIn(page, project, 'disks')
  await expect(page.getByText('No disks', { exact: true })).toBeVisible()
  // Before the stream is open, or after: nothing is missed.
  await makeDisk(api, project, 'first')
  await expect(row(page, 'first')).toBeVisible()
  await page.waitForTimeout(1500)

  const asked: string[] = []
  const note = (request: { url: () => string }) => void asked.push(new URL(request.url()).pathname)
  page.on('request', note)
  await page.waitForTimeout(2500)
  page.off('request', note)
  expect(asked).toEqual([])

  await makeDisk(api, project, 'second')
  await expect(row(page, 'second')).toBeVisible()
  await api.diskDelete({ params: { disk: 'first' }, query })
  await expect(row(page, 'first')).toBeHidden()

  await makeFloatingIp(api, project, 'door')
  await openIn(page, project, 'floating-ips')
  await expect(row(page, 'door')).toBeVisible()
  await page.waitForTimeout(500)
  await api.floatingIpUpdate({ params: { floatingIp: 'door' }, query, body: { name: 'gate' } })
  await expect(row(page, 'gate')).toBeVisible()
  await expect(row(page, 'door')).toBeHidden()

  await makeInstance(api, { project, name: 'web' })
  await openIn(page, project, 'instances')
  await expect(row(page, 'web')).toContainText('stopped')
  await page.waitForTimeout(500)
  await api.instanceStart({ params: { instance: 'web' }, query })
  await expect(row(page, 'web')).toContainText(/starting|running/)
})

test('a user without a network sees a line, can try again, and continues when it is back', async ({
  page,
  context,
  enter,
  troubles,
}) => {
  troubles.allow(/ERR_INTERNET_DISCONNECTED|Failed to fetch|ERR_CONNECTION|RouteErrorScreen/)
  const stream = page.waitForRequest(/\/v1\/events\?/)
  await enter('/projects/telemetry/disks')
  await expect(row(page, 'scratch')).toBeVisible()
  // From here on the page has the code that reports an absent server.
  await stream
  const content = page.locator('main')
  const line = page.getByRole('status').filter({ hasText: 'The page may be out of date.' })
  await context.setOffline(true)
  await expect(line).toContainText('You are offline.')
  await expect(row(page, 'scratch')).toBeVisible()
  await expect(content).toHaveClass(/stale/)
  const tryAgain = line.getByRole('button')
  await tryAgain.click()
  await expect(tryAgain).toHaveText('Trying…')
  await expect(tryAgain).toHaveText('Try again')

  // A page that was not loaded before.
  await page.getByRole('link', { name: 'VPCs', exact: true }).click()
  await tryAgain.focus()
  await context.setOffline(false)
  await expect(line).toBeHidden()
  await expect(content).not.toHaveClass(/stale/)
  await expect(heading(page, 'VPCs')).toBeVisible()
  await expect(button(page, 'Try again')).toHaveCount(0)

  await context.setOffline(true)
  await expect(line).toContainText('You are offline.')
  await context.setOffline(false)
  await expect(page.getByRole('status').filter({ hasText: 'The server answers again.' })).toHaveCount(1)
  await expect(heading(page, 'VPCs')).toBeVisible()
})

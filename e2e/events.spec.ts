import { button, row } from './support/actions.ts'
import { makeDisk, openIn } from './support/prepare.ts'
import { expect, test } from './support/world.ts'

test('a person sees in a list within a second what somebody else does, nothing is asked while nothing changes, and an absent server is said', async ({
  page,
  context,
  own,
  api,
  kind,
  troubles,
}) => {
  troubles.allow(/ERR_INTERNET_DISCONNECTED|Failed to fetch/)
  const project = await own('watched')
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
  await expect(row(page, 'second')).toBeVisible({ timeout: 1000 })
  await api.diskDelete({ params: { disk: 'first' }, query: { project } })
  await expect(row(page, 'first')).toBeHidden({ timeout: 1000 })

  if (kind === 'preview') return
  const line = page.getByText('The server does not answer. What is shown may be out of date.')
  await context.setOffline(true)
  await expect(line).toBeVisible()
  await expect(row(page, 'second')).toBeVisible()
  await context.setOffline(false)
  await button(page, 'Try again')
    .click({ timeout: 2000 })
    .catch(() => undefined)
  await expect(line).toBeHidden()
})

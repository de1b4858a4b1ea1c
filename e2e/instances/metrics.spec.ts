import type { Locator, Page, Request } from '@playwright/test'
import { button, dialog, expectPath, go, heading, menuItem, options, row } from '../support/actions.ts'
import { makeInstance } from '../support/prepare.ts'
import { expect, test } from '../support/world.ts'

const collector = '/projects/telemetry/instances/collector-01'
const chart = (page: Page, title: string) =>
  page.getByRole('slider', { name: `${title}: points`, exact: true })
const tab = (page: Page, name: string) => page.getByRole('tab', { name, exact: true })
const choose = async (page: Page, list: RegExp, option: string) => {
  await page.getByRole('button', { name: list }).click()
  await options(page).filter({ hasText: option }).click()
}
/** Types a moment ('2026-01-05T10:00') into the field of one end of a range. */
async function enterMoment(range: Locator, end: string, moment: string): Promise<void> {
  await expect(range.getByRole('spinbutton', { name: `year, ${end}` })).toBeVisible()
  const [year, month, day, hours, minute] = moment.split(/[^0-9]/)
  const hour = String(Number(hours) % 12 || 12)
  const half = Number(hours) < 12 ? 'a' : 'p'
  for (const [part, digits] of Object.entries({
    year,
    month,
    day,
    hour,
    minute,
    second: '00',
    'AM/PM': half,
  })) {
    const segment = range.getByRole('spinbutton', { name: `${part}, ${end}` })
    if ((await segment.count()) > 0) await segment.pressSequentially(digits ?? '')
  }
}
const search = (page: Page) => new URL(page.url()).searchParams

test('a person sees what an instance does, and goes from CPU to disk and network', async ({
  page,
  enter,
}) => {
  await enter(`${collector}/storage`)
  await tab(page, 'Metrics').click()
  await expectPath(page, `${collector}/metrics/cpu`)
  await expect(tab(page, 'Metrics')).toHaveAttribute('aria-selected', 'true')
  await expect(chart(page, 'CPU Utilization: Running')).toHaveAttribute(
    'aria-valuetext',
    / % \(from .+ % to .+ %\)$/,
  )
  await choose(page, /Choose state/, 'All states')
  for (const state of ['Running', 'Emulation', 'Idle', 'Waiting'])
    await expect(chart(page, `CPU Utilization: ${state}`)).toBeVisible()
  const memory = page.getByRole('list', { name: 'Memory: lines' })
  await expect(memory).toContainText('In use')
  await expect(memory).toContainText('Memory of the instance now')
  await chart(page, 'CPU Utilization: Running').focus()
  await page.keyboard.press('Home')
  await expect(chart(page, 'Memory')).toHaveAttribute('aria-valuenow', /^[0-9]+$/)
  const tools = [/Choose a time range preset/, /Refresh interval/, / – /, 'Refresh data']
  const boxes = tools.map((name) => button(page, name).last().boundingBox())
  expect(new Set((await Promise.all(boxes)).map((box) => box?.height)).size, 'tools of one height').toBe(1)
  await choose(page, /Choose a time range preset/, 'Last 3 hours')
  await tab(page, 'Disk').click()
  for (const title of ['Disk Reads', 'Disk Writes', 'Bytes Read', 'Bytes Written', 'Disk Flushes'])
    await expect(chart(page, title)).toBeVisible()
  await expect(chart(page, 'Read Latency')).toHaveAttribute('aria-valuetext', /p50 .*p90 .*p99 /)
  await choose(page, /Choose disk/, 'collector-01')
  await expect(page.getByRole('list', { name: 'Disk Reads: lines' })).toContainText('collector-01')
  await tab(page, 'Network').click()
  await expect(chart(page, 'Bytes Sent')).toHaveAttribute('aria-valuetext', /(Bytes|[KMG]iB)\/s\)?$/)
  expect(search(page).get('range'), 'the range stays').toBe('3h')
})

/** The marks of charts, with this in their names. */
const marks = (page: Page, name: RegExp) => page.getByRole('link', { name })
const entry = (page: Page) => dialog(page, 'Audit log entry')
const expectPage = (page: Page, path: string) => expect.poll(() => new URL(page.url()).pathname).toBe(path)

test('a press on a mark in a chart opens the change, whose address can be shared', async ({
  page,
  enter,
}) => {
  await enter(`${collector}/metrics/cpu`)
  const created = marks(page, /^Created instance, hanna-okafor, /)
  // The one of the memory is next to it.
  await expect(created).toHaveCount(2)
  await created.first().click()
  await expect(entry(page)).toContainText('instance_create')
  await expect(entry(page)).toContainText('hanna-okafor')
  await expectPage(page, `${collector}/activity`)
  await page.reload()
  await expect(entry(page)).toContainText('instance_create')
  await page.keyboard.press('Escape')
  await expect(entry(page)).toBeHidden()
  expect(page.url(), 'all activity is below').not.toContain('?')
  await expect(row(page, 'Created instance')).toBeVisible()
  await page.goBack()
  await page.goBack()
  await expect(created).toHaveCount(2)
  await created.last().focus()
  await expect(page.getByRole('tooltip').filter({ hasText: 'Created instance' })).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(entry(page)).toContainText('instance_create')
  const { href } = new URL(page.url())
  await enter(new URL(href).pathname + new URL(href).search, 'rosa-lima')
  await expect(entry(page)).toContainText('hanna-okafor')
  await expect(entry(page)).not.toContainText(/Address|User agent|Credential/i)
})

test('an administrator of the silo finds the rest of a change in the audit log', async ({ page, enter }) => {
  await enter(`${collector}/activity`)
  await row(page, 'Created instance').getByRole('link', { name: 'Created instance' }).click()
  await entry(page).getByRole('link', { name: 'audit log of the silo' }).click()
  await expectPage(page, '/access/audit-log')
  await expect(entry(page)).toContainText('User agent')
  await expect(entry(page)).toContainText('instance_create')
  await go(page, `${collector}/activity?entry=${crypto.randomUUID()}&time=2026-01-01T00:00:00Z`)
  await expect(page.getByText('names an entry that the log does not have')).toBeVisible()
})

test('a mark of several changes of a project opens the activity with nothing else', async ({
  page,
  api,
  own,
}) => {
  const project = await own('marks')
  await makeInstance(api, { project, name: 'web', start: true })
  const { id } = await api.projectView({ params: { project } })
  await go(page, `/utilization?project=${id}`)
  const changes = marks(page, /^Created project, |^\d+ changes from /)
  await expect(changes).toHaveCount(3)
  await chart(page, 'CPU').focus()
  await page.keyboard.press('Home')
  await expect(chart(page, 'Storage')).toHaveAttribute('aria-valuenow', '0')
  // Two in a row, and the last of three below them takes both columns.
  const widthOf = async (title: string) => (await chart(page, title).boundingBox())?.width ?? 0
  expect(await widthOf('CPU')).toBeCloseTo(await widthOf('Memory'), 0)
  expect(await widthOf('Storage')).toBeGreaterThan(2 * (await widthOf('CPU')))
  const several = marks(page, /^\d+ changes from /)
  const count = Number.parseInt((await several.first().getAttribute('aria-label')) ?? '', 10)
  // Later changes are not among them.
  await api.floatingIpCreate({ query: { project }, body: { name: 'late', description: '' } })
  await several.first().click()
  await expectPage(page, `/projects/${project}/activity`)
  const table = page.getByRole('table', { name: 'Activity' })
  await expect(table.getByRole('row')).toHaveCount(count + 1)
  await expect(table).toContainText('Created project')
  await choose(page, /As in the address Time/, 'All')
  await expect(row(page, 'Created floating IP')).toBeVisible()
})

test('a viewer of the project sees the charts as well', async ({ page, enter }) => {
  await enter(`${collector}/metrics/cpu`, 'rosa-lima')
  await expect(chart(page, 'CPU Utilization: Running')).toBeVisible()
})

test('a chart is read with the keyboard, and as a table', async ({ page, enter }) => {
  await enter(`${collector}/metrics/network`)
  const sent = chart(page, 'Bytes Sent')
  await expect(sent).toBeVisible()
  await sent.focus()
  await page.keyboard.press('Home')
  await expect(sent).toHaveAttribute('aria-valuenow', '0')
  await page.keyboard.press('ArrowRight')
  await expect(sent).toHaveAttribute('aria-valuenow', '1')
  const text = (await sent.getAttribute('aria-valuetext')) ?? ''
  const [, moment, value] = /^(.*): (.*)$/.exec(text) ?? []
  await expect(page.getByRole('list', { name: 'Bytes Sent: lines' })).toContainText(value ?? '?')
  await choose(page, /Refresh interval/, 'Off')
  await button(page, 'Bytes Sent: show as table').click()
  const table = page.getByRole('table', { name: 'Bytes Sent' })
  await expect(table.getByRole('row')).not.toHaveCount(1)
  expect(moment).toMatch(/\d{4}/)
  await button(page, 'Bytes Sent: show as table').click()
  await expect(sent).toBeVisible()
})

test('a range selected in one chart applies to all charts and can be reset', async ({ page, enter }) => {
  await enter(`${collector}/metrics/disk`)
  await expect(chart(page, 'Disk Writes')).toBeVisible()
  const box = await chart(page, 'Disk Reads').boundingBox()
  if (!box) throw new Error('the chart is not there')
  const y = box.y + box.height / 2
  await page.mouse.move(box.x + box.width * 0.5, y)
  await page.mouse.down()
  await page.mouse.move(box.x + box.width * 0.75, y, { steps: 4 })
  await page.mouse.up()
  await expect.poll(() => search(page).get('start')).not.toBeNull()
  await expect(page.getByRole('button', { name: /Choose a time range preset/ })).toContainText('Custom')
  await expect(page.getByRole('button', { name: /Refresh interval/ })).toContainText('Off')
  await expect(page.getByRole('button', { name: /Refresh interval/ })).toBeDisabled()
  await button(page, 'Back to last hour').click()
  await expectPath(page, `${collector}/metrics/disk`)
})

/** Whether a request is the query of a chart: the head of the page asks for the use of the last hour besides. */
const isOfChart = (request: Request): boolean =>
  request.url().includes('/v1/timeseries/query') &&
  !/group_by \[instance_id\]|memory_used/.test(request.postData() ?? '')

test('a refresh of a custom range shows samples that arrived late', async ({ page, enter }) => {
  const [start = '', end = ''] = [Date.now() - 1_800_000, Date.now()].map((time) =>
    new Date(time).toISOString(),
  )
  let asked = 0
  page.on('request', (request) => void (isOfChart(request) && asked++))
  await enter(`${collector}/metrics/cpu?start=${start}&end=${end}`)
  await expect(chart(page, 'CPU Utilization: Running')).toBeVisible()
  const updated = page.getByText(/A custom range is not refreshed\. Updated/)
  const before = await updated.textContent()
  expect(asked).toBe(1)
  // The time of the update has seconds.
  await page.waitForTimeout(1100)
  await button(page, 'Refresh data').last().click()
  await expect.poll(() => asked).toBe(2)
  await expect(updated).not.toHaveText(before ?? '')
})

test('a range that is too long for one query is read in parts, or rejected as too long', async ({
  page,
  enter,
}) => {
  const queries: string[] = []
  page.on('request', (request) => {
    if (isOfChart(request)) queries.push(request.postData() ?? '')
  })
  const address = (days: number) =>
    `${collector}/metrics/cpu?start=${new Date(Date.now() - days * 86_400_000).toISOString()}&end=${new Date().toISOString()}`
  await enter(address(30))
  // The current samples are in the first window with data, which is left out.
  await expect(page.getByText('There is no data for this time period.').first()).toBeVisible()
  // Eight vCPUs have four million samples in that time.
  expect(queries.length).toBeGreaterThan(4)
  expect(queries.every((query) => query.includes('| filter timestamp >='))).toBe(true)
  const few = queries.length
  await button(page, 'CPU Utilization: Running: actions').click()
  await menuItem(page, 'View OxQL query').click()
  const query = dialog(page, 'OxQL query')
  await expect(query.getByText('| filter timestamp')).toHaveCount(1)
  await button(query, 'Close').first().click()
  expect(queries).toHaveLength(few)

  await go(page, address(9000))
  await expect(
    page.getByText('The range has too many samples for 8 vCPUs. Choose a shorter range.'),
  ).toBeVisible()
  expect(queries).toHaveLength(few)
})

test('a range is entered by its start and end', async ({ page, enter }) => {
  await enter(`${collector}/metrics/cpu`)
  await page.getByRole('button', { name: / – / }).click()
  const range = dialog(page, 'Time range')
  // Its clock is that of the axis.
  await expect(range.getByRole('spinbutton', { name: /^AM\/PM/ })).toHaveCount(2)
  await expect(page.getByRole('button', { name: / – / })).toHaveText(/[AP]M/)
  await enterMoment(range, 'End time', '2026-01-05T10:00')
  await expect(range.getByText('Date range is invalid')).toBeVisible()
  await enterMoment(range, 'Start time', '0026-01-05T09:00')
  await expect(range.getByText('Date range is invalid')).toBeVisible()
  await enterMoment(range, 'Start time', '2026-01-05T09:00')
  await expect(range.getByText('Date range is invalid')).toBeHidden()
  await expect.poll(() => Date.parse(search(page).get('end') ?? '')).toBe(Date.parse('2026-01-05T10:00'))
  await page.keyboard.press('Escape')
  await expect(range).toBeHidden()
  await expect(page.getByText('There is no data for this time period.').first()).toBeVisible()
})

test('the query behind a chart is read and copied', async ({ page, enter, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await enter(`${collector}/metrics/cpu`)
  await button(page, 'CPU Utilization: Running: actions').click()
  await menuItem(page, 'View OxQL query').click()
  const query = dialog(page, 'OxQL query')
  await expect(query.getByText('&& state == "run"')).toBeVisible()
  await button(query, 'Copy query').click()
  await expect(button(query, 'Copied')).toBeVisible()
  const copied = await page.evaluate(() => navigator.clipboard.readText())
  expect(copied).toMatch(/^get virtual_machine:vcpu_usage \| filter [^\n]* \| group_by \[vcpu_id\], sum$/)
})

test('an instance that never ran has no data, and one without disks has a message', async ({
  page,
  api,
  own,
}) => {
  const project = await own('quiet')
  await makeInstance(api, { project, name: 'still' })
  await go(page, `/projects/${project}/instances/still/metrics`)
  await expect(heading(page, 'still')).toBeVisible()
  await expect(page.getByText('There is no data for this time period.').first()).toBeVisible()
  await go(page, '/projects/batch-lab/instances/worker-001/metrics/disk')
  await expect(page.getByText('No disk metrics available')).toBeVisible()
})

test('a chart that fails to load shows an error and can be reloaded', async ({ page, enter, troubles }) => {
  troubles.allow(/^503 POST /)
  const refusal = { error_code: 'ServiceUnavailable', message: 'no room', request_id: 'none' }
  await page.route('**/v1/timeseries/query?**', (route) => route.fulfill({ status: 503, json: refusal }))
  await enter(`${collector}/metrics/cpu`)
  await expect(page.getByText('Something went wrong').first()).toBeVisible()
  await choose(page, /Refresh interval/, 'Off')
  await page.unroute('**/v1/timeseries/query?**')
  await button(page, 'Try again').first().click()
  await expect(chart(page, 'CPU Utilization: Running')).toBeVisible()
})

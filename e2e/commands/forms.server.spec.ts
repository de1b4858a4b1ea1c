/** Every form that sends something shows exactly its request, and a command that sends the same. */
import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { promisify } from 'node:util'
import type { Locator, Page } from '@playwright/test'
import { button, go, heading } from '../support/actions.ts'
import { expect, test } from '../support/world.ts'
import { formRows, prepare, unreached } from './forms.ts'
import { bodyOf, openRecorder, refusal, type Sent } from './recorder.ts'
import type { FormRow } from './rows.ts'
import { shownBy } from './shown.ts'

const root = join(import.meta.dirname, '../..')
const sources = join(root, 'apps/console/src')

/** The sources of forms that have a request. */
async function formFiles(): Promise<string[]> {
  const files = await readdir(sources, { recursive: true, withFileTypes: true })
  const found: string[] = []
  for (const { name, parentPath } of files) {
    if (!name.endsWith('.tsx') || name.endsWith('.test.tsx')) continue
    const text = await readFile(join(parentPath, name), 'utf8')
    const forms = text.split(/<(?:ModalForm|ResourceForm|FullPageForm)\s/).slice(1)
    const heads = forms.map((form) => form.slice(0, form.search(/\n *>\n|[^=]>\n/)))
    if (heads.some((head) => !/\srequest=\{null\}/.test(head)))
      found.push(relative(sources, join(parentPath, name)))
  }
  return found
}

test('every form that sends something has a row', async () => {
  const rows = new Set(formRows.flatMap(({ rows: of }) => of.map(({ file }) => file)))
  expect((await formFiles()).filter((file) => !rows.has(file) && !(file in unreached))).toEqual([])
})

/** The first of the messages that are shown. */
function messageIn(http: string): Sent {
  const [first = ''] = http.split(/\n\n(?=[A-Z]+ \/)/)
  const [head = '', body = ''] = first.split(/\n\n/)
  const [method = '', url = ''] = head.split(' ')
  return { method, url, body: bodyOf(body) }
}

/** A request with placeholders for what is no part of it as it is shown. */
const comparable = ({ method, url, body }: Sent, secrets: unknown): Sent => ({
  method,
  url: url.replace(/^https?:\/\/[^/]+/, ''),
  body: hiding(body ?? null, secrets),
})

/** Values that the other one hides. */
function hiding(value: unknown, other: unknown): unknown {
  if (other === 'SECRET') return 'SECRET'
  if (Array.isArray(value)) return value.map((one, i) => hiding(one, (other as unknown[] | undefined)?.[i]))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [
      key,
      hiding(one, (other as Record<string, unknown> | null)?.[key]),
    ]),
  )
}

/** Submits the form without effect, and returns its request. */
async function sentBy(page: Page, form: Locator, { method, url }: Sent): Promise<Sent> {
  const { promise, resolve } = Promise.withResolvers<Sent>()
  const [path = ''] = url.split('?')
  await page.route(`**${path}*`, async (route, request) => {
    if (request.method() !== method) return route.fallback()
    resolve({ method, url: request.url(), body: bodyOf(request.postData() ?? '') })
    return route.fulfill({ status: 400, json: refusal })
  })
  await form.locator('button[type="submit"]').last().click()
  const sent = await promise
  await page.unrouteAll({ behavior: 'wait' })
  return sent
}

async function openForm(page: Page, { path, open, fill }: FormRow): Promise<Locator> {
  await go(page, path)
  if (typeof open === 'string') await button(page, open).first().click()
  else await open?.(page)
  await expect(button(page, 'View as command').first()).toBeVisible()
  const isDialog = (await page.getByRole('dialog').count()) > 0
  const form = isDialog ? page.getByRole('dialog').last() : page.locator('main')
  await fill?.(form, page)
  return form
}

/** Leaves the form, which asks if it was filled. */
async function leave(page: Page): Promise<void> {
  await page.evaluate(() => window.history.pushState(null, '', '/settings/profile'))
  const question = page.getByRole('button', { name: /^Leave (form|page)$/ })
  await question.or(heading(page, 'Profile')).first().waitFor()
  if (await question.isVisible()) await question.click()
  await expect(heading(page, 'Profile')).toBeVisible()
}

const bin = join(root, 'node_modules/.bin')

/** Runs a command, with a file for its secrets. It fails, because nothing is done. */
async function run(command: string, folder: string, env: Record<string, string>): Promise<void> {
  const path = `${bin}:${process.env['PATH']}`
  const options = { cwd: folder, env: { ...process.env, ...env, PATH: path } }
  await promisify(execFile)('sh', ['-c', `${command}\ntrue`], options)
}

for (const { as, rows } of formRows)
  test(`${as} sees the request of each form, and its command sends the same`, async ({
    page,
    enter,
    own,
    api,
    troubles,
  }) => {
    test.setTimeout(rows.length * 15_000)
    troubles.allow(/^400 /, /only recorded/)
    const recorder = await openRecorder()
    const folder = await mkdtemp(join(tmpdir(), 'commands-'))
    await writeFile(join(folder, 'FILE'), 'SECRET')
    const needsProject = rows.some(({ path }) => path.includes('PROJECT'))
    const project = needsProject ? await own('forms') : ''
    if (needsProject) await prepare(api, project)
    await enter('/settings/profile', as)
    page.setDefaultTimeout(10_000)
    const check = async (row: FormRow) => {
      const form = await openForm(page, { ...row, path: row.path.replace('PROJECT', project) })
      const { command, http, document } = await shownBy(page, form)
      const shown = messageIn(http)
      const expected = comparable(shown, shown.body)
      await run(command, folder, { PURLIN_HOST: recorder.origin, PURLIN_TOKEN: 'none' })
      const [sent] = recorder.taken()
      expect(sent && comparable(sent, shown.body), 'sent by the command').toEqual(expected)
      expect(document !== undefined, 'has a document').toBe(row.plans === true)
      if (!row.isReviewed)
        expect(comparable(await sentBy(page, form, shown), shown.body), 'sent by the form').toEqual(expected)
      await page.keyboard.press('Escape')
      await leave(page)
    }
    // All forms are checked, so that one run names all that differ.
    const problems: string[] = []
    for (const row of rows)
      try {
        await test.step(`${row.file} at ${row.path}`, () => check(row))
      } catch (error) {
        problems.push(`${row.file} at ${row.path}: ${String(error)}`)
        await page.unrouteAll({ behavior: 'ignoreErrors' })
        await page.goto('/settings/profile')
      }
    expect(problems.join('\n\n')).toBe('')
    recorder.close()
    await rm(folder, { recursive: true })
  })

/** 'View as command': a shell runs each command, and does exactly what the form does. Other forms: `commands/`. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Page } from '@playwright/test'
import { join } from 'node:path'
import { tokenOf } from './commands/results.ts'
import { shownBy } from './commands/shown.ts'
import { button, dialog, find, fromRow, go, heading, textbox } from './support/actions.ts'
import { makeDisk } from './support/prepare.ts'
import { expect, test } from './support/world.ts'

const bin = join(import.meta.dirname, '../node_modules/.bin')

const shell = async (command: string, env: Record<string, string>): Promise<string> =>
  (
    await promisify(execFile)('sh', ['-c', command], {
      env: { ...process.env, ...env, PATH: `${bin}:${process.env['PATH']}` },
    })
  ).stdout

const question = (page: Page) => page.getByRole('dialog').or(page.getByRole('alertdialog')).last()

const name = 'by-command'

/** A resource without what differs between two of the same: ids and times. */
const plain = (one: object): unknown =>
  Object.fromEntries(Object.entries(one).filter(([key]) => !/^(id|time)/.test(key)))

test('a shell runs the command and the document of a form, which make what the form makes', async ({
  page,
  enter,
  api,
  site,
}) => {
  await enter('/projects-new')
  const env = { PURLIN_HOST: site.origin, PURLIN_TOKEN: await tokenOf(page, api) }
  const of = { params: { project: name } }
  const form = dialog(page, 'Create project')
  await textbox(form, 'Name').fill(name)
  await textbox(form, 'Description').fill(`the boss's $HOME & "more"`)
  const { command, http, document } = await shownBy(page, form)
  expect(http).toMatch(/^POST \/v1\//)
  await button(form, 'Create project').click()
  await expect(form).toHaveCount(0)
  // The page of what was made would read it again.
  await go(page, '/settings/profile')
  await expect(heading(page, 'Profile')).toBeVisible()
  const made = plain(await api.projectView(of))
  await api.projectDelete(of)
  for (const line of [command, `purlin apply --file - <<'END'\n${document}END`]) {
    await shell(line, env)
    expect(plain(await api.projectView(of))).toEqual(made)
    await api.projectDelete(of)
  }
})

test('the command of a question does what its answer does', async ({ page, own, api, site }) => {
  const project = await own('scripted')
  const env = { PURLIN_HOST: site.origin, PURLIN_TOKEN: await tokenOf(page, api) }
  await makeDisk(api, project, 'by-shell')
  await go(page, `/projects/${project}/disks`)
  await fromRow(page, 'by-shell', 'Delete')
  const { command } = await shownBy(page, question(page))
  await button(question(page), 'Cancel').click()
  await shell(command, env)
  await expect.poll(async () => (await api.diskList({ query: { project } })).items).toEqual([])
})

test('the command of an instance has what is filled in, and incomplete forms have none', async ({
  page,
  own,
}) => {
  const project = await own('scripted')
  await go(page, `/projects/${project}/instances-new`)
  const form = page.locator('main')
  await button(form, 'View as command').click()
  await expect(page.getByText('Name is required').first()).toBeVisible()
  await expect(dialog(page, 'View as command')).toHaveCount(0)
  await textbox(form, 'Name').fill('web')
  await find(page, form, 'Image', 'debian-13')
  const { command, http } = await shownBy(page, form)
  expect(command).toContain(`purlin instance create --project ${project} --name web`)
  expect(http).toMatch(/^POST \/v1\/instances\?project=/)
})

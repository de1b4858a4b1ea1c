/** 'View as command': a shell runs each command, and does exactly what the form does. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Page } from '@playwright/test'
import type { Client } from '@purlin/contract/client'
import { deviceAccessToken, deviceAuthRequest } from '@purlin/contract/operations/access/access-tokens'
import type { Operations } from '@purlin/contract/operations'
import { join } from 'node:path'
import { shownBy } from './commands/shown.ts'
import { button, dialog, find, fromRow, go, heading, textbox } from './support/actions.ts'
import { makeDisk } from './support/prepare.ts'
import { expect, test } from './support/world.ts'

const bin = join(import.meta.dirname, '../node_modules/.bin')

/** An access token of the signed-in user. */
async function tokenOf(page: Page, api: Client<Operations>): Promise<string> {
  const clientId = '6f1f3a3a-8f3e-4d43-9d37-2c8d1f4b7a10'
  const form = async (path: string, fields: Record<string, string>) =>
    (await page.request.post(path, { form: fields })).json() as Promise<Record<string, string>>
  const asked = await form(deviceAuthRequest.path, { client_id: clientId })
  await api.deviceAuthConfirm({ body: { userCode: asked['user_code'] ?? '' } })
  const granted = await form(deviceAccessToken.path, {
    client_id: clientId,
    device_code: asked['device_code'] ?? '',
    grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
  })
  return granted['access_token'] ?? ''
}

const shell = async (command: string, env: Record<string, string>): Promise<string> =>
  (
    await promisify(execFile)('sh', ['-c', command], {
      env: { ...process.env, ...env, PATH: `${bin}:${process.env['PATH']}` },
    })
  ).stdout

const question = (page: Page) => page.getByRole('dialog').or(page.getByRole('alertdialog')).last()

interface Form {
  path: string
  title: string
  submit: string
  fill?: (page: Page) => Promise<unknown>
  /** The resource that was made, and how it is removed again. */
  view: (api: Client<Operations>) => Promise<object>
  remove: (api: Client<Operations>) => Promise<unknown>
}

const name = 'by-command'
const at = (project: string) => ({ project })
const forms: Record<string, (project: string) => Form> = {
  project: () => ({
    path: '/projects-new',
    title: 'Create project',
    submit: 'Create project',
    view: (api) => api.projectView({ params: { project: name } }),
    remove: (api) => api.projectDelete({ params: { project: name } }),
  }),
  disk: (project) => ({
    path: `/projects/${project}/disks-new`,
    title: 'Create disk',
    submit: 'Create disk',
    view: (api) => api.diskView({ params: { disk: name }, query: at(project) }),
    remove: (api) => api.diskDelete({ params: { disk: name }, query: at(project) }),
  }),
  VPC: (project) => ({
    path: `/projects/${project}/vpcs-new`,
    title: 'Create VPC',
    submit: 'Create VPC',
    fill: (page) => textbox(page, 'DNS name').fill('inner'),
    view: (api) => api.vpcView({ params: { vpc: name }, query: at(project) }),
    remove: async (api) => {
      const of = { ...at(project), vpc: name }
      await api.vpcSubnetDelete({ params: { subnet: 'default' }, query: of })
      await api.vpcDelete({ params: { vpc: name }, query: at(project) })
    },
  }),
  'anti-affinity group': (project) => ({
    path: `/projects/${project}/affinity-new`,
    title: 'Add anti-affinity group',
    submit: 'Add group',
    view: (api) => api.antiAffinityGroupView({ params: { antiAffinityGroup: name }, query: at(project) }),
    remove: (api) => api.antiAffinityGroupDelete({ params: { antiAffinityGroup: name }, query: at(project) }),
  }),
}

/** A resource without what differs between two of the same: ids and times. */
const plain = (one: object): unknown =>
  Object.fromEntries(Object.entries(one).filter(([key]) => !/^(id|time|systemRouterId|ipv6Prefix)/.test(key)))

test('the command and the document of a form make exactly what the form makes', async ({
  page,
  own,
  api,
  site,
}) => {
  const project = await own('scripted')
  const env = { PURLIN_HOST: site.origin, PURLIN_TOKEN: await tokenOf(page, api) }
  for (const [kind, formOf] of Object.entries(forms))
    await test.step(kind, async () => {
      const { path, title, submit, fill, view, remove } = formOf(project)
      await go(page, path)
      const form = dialog(page, title)
      await textbox(form, 'Name').fill(name)
      await textbox(form, 'Description').fill(`the boss's $HOME & "more"`)
      await fill?.(page)
      const { command, http, document } = await shownBy(page, form)
      expect(http).toMatch(/^POST \/v1\//)
      await button(form, submit).click()
      await expect(form).toHaveCount(0)
      // The page of what was made would read it again.
      await go(page, '/settings/profile')
      await expect(heading(page, 'Profile')).toBeVisible()
      const made = plain(await view(api))
      await remove(api)
      for (const line of [command, `purlin apply --file - <<'END'\n${document}END`]) {
        await shell(line, env)
        expect(plain(await view(api))).toEqual(made)
        await remove(api)
      }
    })
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

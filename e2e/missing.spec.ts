/** Forms that cannot go on because something does not exist yet: they lead there, or say whom to ask. */
import type { Page } from '@playwright/test'
import { button, go, heading } from './support/actions.ts'
import { expect, test } from './support/world.ts'

interface Lack {
  path: string
  /** The lists that are empty. */
  none: string
  open?: (page: Page) => Promise<unknown>
  /** The sentence for members who may not create what is missing. */
  ask: string
  /** The way to it for collaborators of the silo; a sentence if nothing on the page leads there. */
  way?: { button: string } | { link: string } | { text: string }
}

const project = '/projects/telemetry'
const newInstance = `${project}/instances-new`
const tab = (name: string) => (page: Page) => page.getByRole('tab', { name }).click()
const radio = (name: RegExp) => (page: Page) => page.getByRole('radio', { name }).check()

const lacks: readonly Lack[] = [
  {
    path: newInstance,
    none: 'images',
    open: tab('Project images'),
    ask: 'an image',
    way: { button: 'Import image' },
  },
  {
    path: newInstance,
    none: 'images',
    open: tab('Silo images'),
    ask: 'Ask an administrator to promote a project image.',
    way: { text: 'Promote a project image to see it here.' },
  },
  {
    path: newInstance,
    none: 'images|disks',
    open: tab('Existing disks'),
    ask: 'an image or a disk',
    way: { text: 'Import an image or create a disk first.' },
  },
  { path: newInstance, none: 'vpcs', ask: 'a VPC', way: { button: 'Create VPC' } },
  { path: newInstance, none: 'floating-ips', ask: 'a floating IP', way: { button: 'Create floating IP' } },
  { path: newInstance, none: 'ip-pools', ask: 'an IP pool' },
  { path: `${project}/floating-ips-new`, none: 'ip-pools', ask: 'an IP pool' },
  {
    path: `${project}/disks-new`,
    none: 'images',
    open: radio(/^Image/),
    ask: 'an image',
    way: { link: 'Import an image' },
  },
  {
    path: `${project}/disks-new`,
    none: 'snapshots',
    open: radio(/^Snapshot/),
    ask: 'a snapshot',
    way: { link: 'Take one of a disk' },
  },
  { path: `${project}/snapshots-new`, none: 'disks', ask: 'a disk', way: { button: 'Create disk' } },
]

const sentenceOf = ({ ask }: Lack) => (ask.startsWith('Ask ') ? ask : `Ask an administrator for ${ask}.`)

/** Opens a form of a project where the lists are empty. */
async function openWithout(page: Page, { path, none, open }: Lack): Promise<void> {
  await go(page, '/settings/profile')
  await expect(heading(page, 'Profile')).toBeVisible()
  await page.unrouteAll({ behavior: 'wait' })
  await page.route(new RegExp(`/v1/(?:${none})(?:\\?|$)`), (route) =>
    route.request().method() === 'GET' ? route.fulfill({ json: { items: [] } }) : route.fallback(),
  )
  await page.reload()
  await expect(heading(page, 'Profile')).toBeVisible()
  await go(page, path)
  await open?.(page)
}

test('a member without the right sees whom to ask for what a form lacks, and no way that leads nowhere', async ({
  page,
  enter,
}) => {
  test.setTimeout(lacks.length * 20_000)
  await enter('/settings/profile', 'mei-tanaka')
  for (const lack of lacks)
    await test.step(`${lack.path} without ${lack.none}`, async () => {
      await openWithout(page, lack)
      await expect(page.getByText(sentenceOf(lack)).first()).toBeVisible()
      const { way } = lack
      if (way && 'button' in way) await expect(button(page, way.button)).toHaveCount(0)
      if (way && 'link' in way) await expect(page.getByRole('link', { name: way.link })).toHaveCount(0)
      if (way && 'text' in way) await expect(page.getByText(way.text)).toHaveCount(0)
    })
})

test('a member with the right gets there from each of these forms', async ({ page, enter }) => {
  test.setTimeout(lacks.length * 20_000)
  await enter('/settings/profile', 'joel-lindqvist')
  for (const lack of lacks)
    await test.step(`${lack.path} without ${lack.none}`, async () => {
      await openWithout(page, lack)
      const { way } = lack
      if (!way || 'text' in way) {
        const text = way?.text ?? sentenceOf(lack)
        await expect(page.getByText(text).first()).toBeVisible()
        return
      }
      const isButton = 'button' in way
      const to = isButton ? button(page, way.button).first() : page.getByRole('link', { name: way.link })
      await to.click()
      // The form is the last dialog on the page.
      const form = page.getByRole('dialog').last()
      await expect(form.locator('button[type=submit]').last()).toBeVisible()
    })
})

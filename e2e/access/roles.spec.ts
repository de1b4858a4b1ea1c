import type { Page } from '@playwright/test'
import {
  button,
  dialog,
  expectDisabled,
  go,
  heading,
  menuItem,
  openRowMenu,
  row,
} from '../support/actions.ts'
import { expect, test } from '../support/world.ts'

const needs = /role/i

async function expectRefused(page: Page, name: string, items: string[]) {
  await openRowMenu(page, name)
  for (const item of items) await test.step(item, () => expectDisabled(menuItem(page, item), needs))
  await page.keyboard.press('Escape')
}

test('a viewer of a project sees all of it and why nothing can be changed', async ({ page, enter }) => {
  await enter('/projects', 'rosa-lima')
  await expect(row(page, 'telemetry')).toBeVisible()
  await page.getByRole('link', { name: 'telemetry', exact: true }).click()
  await expect(row(page, 'ingest-gateway')).toBeVisible()
  await test.step('instances', async () => {
    await expectDisabled(button(page, 'New instance'), needs)
    await expectRefused(page, 'ingest-gateway', ['Start', 'Resize', 'Delete'])
    await expectRefused(page, 'collector-01', ['Stop', 'Reboot'])
  })
  await test.step('an instance', async () => {
    await page.getByRole('link', { name: 'ingest-gateway', exact: true }).click()
    await expect(heading(page, 'ingest-gateway')).toBeVisible()
    await expectDisabled(button(page, 'Start'), needs)
    await expectDisabled(button(page, 'Attach existing disk'), needs)
    await expectDisabled(button(page, 'Create disk'), needs)
    await expectRefused(page, 'ingest-gateway-boot', ['Unset as boot disk'])
  })
  await test.step('disks', async () => {
    await go(page, '/projects/telemetry/disks')
    await expectDisabled(button(page, 'New disk'), needs)
    await expectRefused(page, 'scratch', ['Snapshot', 'Delete'])
  })
  await test.step('snapshots', async () => {
    await go(page, '/projects/telemetry/snapshots')
    await expectDisabled(button(page, 'New snapshot'), needs)
    await expectRefused(page, 'ingest-before-upgrade', ['Create image', 'Delete'])
  })
  await test.step('affinity groups', async () => {
    await go(page, '/projects/telemetry/affinity')
    await expectDisabled(button(page, 'New group'), needs)
    await expectRefused(page, 'collectors-apart', ['Edit', 'Delete'])
    await page.getByRole('link', { name: 'collectors-apart', exact: true }).click()
    await expectDisabled(button(page, 'Add instance'), needs)
    await expectRefused(page, 'collector-01', ['Remove from group'])
    await page.getByRole('link', { name: 'collector-01', exact: true }).click()
    await expectDisabled(button(page, 'Add to group'), needs)
  })
  await test.step('access', async () => {
    await go(page, '/projects/telemetry/access')
    await expectDisabled(button(page, 'Add user or group'), needs)
    await expectRefused(page, 'piotr-nowak', ['Change role', 'Remove role'])
  })
  await test.step('projects', async () => {
    await go(page, '/projects')
    await expectDisabled(button(page, 'New project'), needs)
    await expectRefused(page, 'telemetry', ['Edit', 'Delete'])
  })
})

test('a collaborator of a project can work in it but not change access', async ({ page, enter }) => {
  await enter('/projects/telemetry/disks', 'piotr-nowak')
  await expect(page.getByRole('link', { name: 'New disk' })).toBeVisible()
  await go(page, '/projects/telemetry/access')
  await expectDisabled(button(page, 'Add user or group'), needs)
})

test('a member of one project sees that project only', async ({ page, enter, troubles }) => {
  troubles.allow(/^404 GET /, /^ApiError: not found/)
  await enter('/projects', 'rosa-lima')
  await expect(row(page, 'telemetry')).toBeVisible()
  await expect(page.getByRole('row')).toHaveCount(2)
  await go(page, '/projects/storefront/instances')
  await expect(heading(page, 'Page not found')).toBeVisible()
})

test('a person without any role sees the probable cause', async ({ page, enter, troubles }) => {
  troubles.allow(/^403 /, /^ApiError: Forbidden/)
  await enter('/projects', 'sofia-reyes')
  await expect(page.getByText(/^Ask an administrator of \S+ for a role\./)).toBeVisible()
  await expect(button(page, 'Sign out')).toBeVisible()
})

test('a form that a viewer reaches by its address cannot be sent', async ({ page, enter }) => {
  await enter('/projects/telemetry/disks-new', 'rosa-lima')
  await expectDisabled(button(dialog(page, 'Create disk'), 'Create disk'), needs)
})

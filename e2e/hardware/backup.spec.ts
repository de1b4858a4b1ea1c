import { expect, test } from '../support/world.ts'
import { button, expectDisabled, expectToast, heading, properties, row } from '../support/actions.ts'

test('an operator sees how to make backups, and then the last one', async ({ page, enter }) => {
  await enter('/system/backup', 'victor-hale')
  await expect(heading(page, 'Backup')).toBeVisible()
  await expect(page.getByText('No backups by schedule')).toBeVisible()
  await expect(page.getByText('npm run backup')).toBeVisible()
  await page.route('**/v1/system/backup', (route) =>
    route.fulfill({
      json: {
        schedule: {
          every_hours: 24,
          time_due: '2026-05-02T03:00:00Z',
          is_overdue: true,
          last: { id: '20260501-030000', time_completed: '2026-05-01T03:00:04Z', size: 1_073_741_824 },
          failure: { reason: 'The folder is full.', since: '2026-05-02T03:00:09Z' },
        },
      },
    }),
  )
  await page.reload()
  await expect(page.getByText('Backups fail')).toBeVisible()
  await expect(page.getByText('The folder is full.')).toBeVisible()
  await expect(properties(page)).toContainText('1 GiB')
  await expectDisabled(button(page, 'Back up now'), /requires the admin role on the fleet/)
})

test('an admin of the fleet sees the folder of backups and begins one', async ({ page, enter }) => {
  const schedule = {
    every_hours: 24,
    time_due: '2026-05-02T03:00:00Z',
    is_overdue: false,
    last: null,
    failure: null,
  }
  await page.route('**/v1/system/backup', (route) => route.fulfill({ json: { schedule } }))
  await page.route('**/v1/system/backup/folder', (route) =>
    route.fulfill({
      json: {
        folder: '/mnt/backups',
        keep: 7,
        is_under_way: false,
        items: [
          { id: '2026-05-01T03-00-00-000Z', time_made: '2026-05-01T03:00:00Z', size: 2_147_483_648 },
          { id: '2026-04-30T03-00-00-000Z', time_made: '2026-04-30T03:00:00Z', size: null },
        ],
      },
    }),
  )
  await page.route('**/v1/system/backup/start', (route) => route.fulfill({ status: 204 }))
  await enter('/system/backup', 'tariq-aziz')
  await expect(page.getByText('/mnt/backups')).toBeVisible()
  await expect(row(page, '2026-05-01T03-00-00-000Z')).toContainText('2 GiB')
  await expect(row(page, '2026-04-30T03-00-00-000Z')).toContainText('damaged')
  await button(page, 'Back up now').click()
  await expectToast(page, 'The backup begins')
})

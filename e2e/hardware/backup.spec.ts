import { expect, test } from '../support/world.ts'
import { heading, properties } from '../support/actions.ts'

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
})

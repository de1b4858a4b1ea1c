/** Something in the panel of activity: tasks with failures, one that runs, and an upload that was interrupted. */
import type { Page } from '@playwright/test'
import type { Client } from '@purlin/contract/client'
import type { Operations } from '@purlin/contract/operations'
import { GiB, MiB } from '@purlin/contract/rules/limits'
import { expect } from '../support/world.ts'

const project = 'telemetry'
const disk = 'tmp-for-image-sensors'

export async function makeActivity(page: Page, api: Client<Operations>): Promise<void> {
  const images = await api.imageList({ query: {} })
  const disks = await api.diskList({ query: { project } })
  // A collaborator of a project may not delete images of the silo.
  const failing = await api.taskCreate({
    body: { kind: 'image', action: 'delete', ids: images.items.map(({ id }) => id) },
  })
  const made = await api.taskCreate({
    body: { kind: 'disk', action: 'snapshot', ids: disks.items.map(({ id }) => id) },
  })
  for (const { id } of [failing, made])
    await expect.poll(async () => (await api.taskView({ params: { task: id } })).state).toBe('completed')
  await interruptUpload(page, api)
  await holdTask(page, made.id)
}

/** An upload of which this browser knows that half of it was sent. */
async function interruptUpload(page: Page, api: Client<Operations>): Promise<void> {
  const size = 640 * MiB
  const description = `Upload of "sensors.raw", ${size} bytes, changed 2026-05-04T08:00:00.000Z, for image sensors`
  const diskSource = { type: 'importing_blocks', blockSize: 512 } as const
  const { items } = await api.diskList({ query: { project } })
  const { id } =
    items.find(({ name }) => name === disk) ??
    (await api.diskCreate({ query: { project }, body: { name: disk, description, size: GiB, diskSource } }))
  const sent = { bytes: size / 2, sum: 1, reach: size }
  await page.evaluate(([key, value]) => localStorage.setItem(key, value), [
    'purlin-uploads',
    JSON.stringify({ [id]: sent }),
  ] as const)
}

/** Tasks of a demonstration end before a picture can be taken: this one is shown as it was on its way. */
async function holdTask(page: Page, held: string): Promise<void> {
  await page.route(/\/v1\/tasks\?/, async (route) => {
    const response = await route.fetch()
    const answer = (await response.json()) as { items: { id: string; succeeded: number }[] }
    const items = answer.items.map((task) =>
      task.id === held
        ? { ...task, state: 'running', pending: task.succeeded - 2, succeeded: 2, time_ended: null }
        : task,
    )
    await route.fulfill({ response, json: { ...answer, items } })
  })
}

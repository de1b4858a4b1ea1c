/** Uploading images: files to choose, and the form and the dialog in the words of the screen. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Locator, Page } from '@playwright/test'
import type { Client } from '@purlin/contract/client'
import type { Operations } from '@purlin/contract/operations'
import { MiB } from '@purlin/contract/rules/limits'
import { button, dialog, textbox } from './actions.ts'
import { expect } from './world.ts'

/** A raw image of this size with the mark of a disk that boots, a part of it zeros. */
export function rawImage(size = 2 * MiB): Buffer {
  const bytes = Buffer.alloc(size)
  for (let at = 0; at < size; at += 4096) bytes.writeUInt32LE(at + 1, at)
  bytes.write('EFI PART', 512, 'latin1')
  return bytes.fill(0, size / 2, size / 2 + 2 ** 19)
}
const mimeType = 'application/octet-stream'
export const fileOf = (name: string, buffer = rawImage()) => ({ name, mimeType, buffer })

/** A file that stays the same however often it is chosen: one handed over as bytes is changed 'now' each time. */
export async function withFile(bytes: Buffer, use: (path: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'purlin-upload-'))
  const path = join(folder, 'shop.raw')
  await writeFile(path, bytes)
  try {
    await use(path)
  } finally {
    await rm(folder, { recursive: true })
  }
}

export const form = (page: Page): Locator => dialog(page, 'Upload image')
export const progress = (page: Page): Locator => dialog(page, 'Image upload progress')
export const submit = (page: Page): Promise<void> => button(form(page), 'Upload image').click()
/** A step of the upload, once it is in this state. */
export const step = (page: Page, name: string, state: string): Locator =>
  progress(page).locator(`li[data-state="${state}"]`, { hasText: name })
export const isUploaded = (page: Page): Promise<void> =>
  expect(step(page, 'Image uploaded successfully', 'complete')).toBeVisible()

/** Fills everything but the file. */
export async function fillDetails(page: Page, name: string): Promise<void> {
  await textbox(form(page), 'Name').fill(name)
  await textbox(form(page), 'Description').fill('For the shop')
  await textbox(form(page), 'OS').fill('debian')
  await textbox(form(page), 'Version').fill('13')
}
export const choose = (page: Page, file: Parameters<Locator['setInputFiles']>[0]): Promise<void> =>
  form(page).locator('input[type="file"]').setInputFiles(file)

/** Expects that no temporary disk or snapshot is left. */
export async function expectNothingLeft(api: Client<Operations>, project: string): Promise<void> {
  const names = async () => {
    const [disks, snapshots] = await Promise.all([
      api.diskList({ query: { project } }),
      api.snapshotList({ query: { project } }),
    ])
    return [...disks.items, ...snapshots.items].map(({ name }) => name)
  }
  await expect.poll(names).toEqual([])
}

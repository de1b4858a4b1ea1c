import { readdir, readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { expect, it } from 'vitest'

const sources = join(import.meta.dirname, '../../..')
const paths = (await readdir(sources, { recursive: true, withFileTypes: true }))
  .filter(({ name }) => name.endsWith('.tsx') && !name.endsWith('.test.tsx'))
  .map(({ name, parentPath }) => join(parentPath, name))

/** Forms that send an update and are filled otherwise. */
const others: Readonly<Record<string, string>> = {
  'features/instances/settings/AutoRestartCard.tsx': 'follows the instance as long as it is not changed',
  'features/settings/password.tsx': 'has passwords only',
  'resource/form/EditForm.tsx': 'is of a route, whose loader reads the row',
  'resource/list/views/ViewsDialog.tsx': 'changes what this browser keeps',
}

const sendsUpdate = /\b[a-z]\w*Update\b|\bupdate[A-Z]\w*\(/
const isFilledNow = /\bFresh<|\bLoadToEdit\b|\bloadToEdit\(|\bloadRowToEdit\(/

it('every form of changes begins with values that were read when it opened', async () => {
  const stale: string[] = []
  for (const path of paths) {
    const text = await readFile(path, 'utf8')
    if (/\buseForm[<(]/.test(text) && sendsUpdate.test(text) && !isFilledNow.test(text))
      stale.push(relative(sources, path))
  }
  expect(stale.toSorted()).toEqual(Object.keys(others).toSorted())
})

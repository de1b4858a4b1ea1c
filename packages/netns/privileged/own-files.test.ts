import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, expect, it, vi } from 'vitest'
import { lacks, onLinux } from '@purlin/sleds/testing/skips'
import { run } from '../kernel/commands.ts'
import { changeableByOthers } from './own-files.ts'

const folder = mkdtempSync(join(tmpdir(), 'purlin-own-'))
afterAll(() => rmSync(folder, { recursive: true }))
afterEach(() => vi.unstubAllEnvs())

const root = fileURLToPath(new URL('../../../', import.meta.url))
const textOf = (path: string) => readFileSync(join(root, path), 'utf8')

it.skipIf(lacks(process.getuid?.() !== 0 && 'only root gives files to other users'))(
  'files of root that another user may change are found',
  async () => {
    const tree = join(folder, 'tree')
    const file = join(tree, 'tools', 'helper')
    mkdirSync(join(tree, 'tools'), { recursive: true, mode: 0o755 })
    writeFileSync(file, '', { mode: 0o644 })
    symlinkSync(file, join(folder, 'link'))
    const found = () => changeableByOthers([join(tree, 'tools')])
    expect(await found()).toBeUndefined()
    chmodSync(file, 0o646)
    expect(await found()).toBe(file)
    expect(await changeableByOthers([join(folder, 'link')])).toBe(file)
    chmodSync(file, 0o664)
    expect(await found()).toBeUndefined()
    chownSync(file, 0, 1000)
    expect(await found()).toBe(file)
    chownSync(file, 1000, 0)
    expect(await found()).toBe(file)
    chownSync(file, 0, 0)
    chmodSync(tree, 0o777)
    expect(await found()).toBe(tree)
    chmodSync(tree, 0o1777)
    expect(await found()).toBeUndefined()
    chownSync(tree, 1000, 0)
    expect(await found()).toBe(tree)
  },
)

it.skipIf(lacks(process.platform !== 'linux' && onLinux))(
  'programs are those of the system, whatever the path of the caller is',
  async () => {
    writeFileSync(join(folder, 'id'), '#!/bin/sh\necho another', { mode: 0o755 })
    vi.stubEnv('PATH', folder)
    expect(await run('id', ['-u'])).toBe(`${process.getuid?.()}\n`)
  },
)

it('the guide shows the unit of the helper', () => {
  const unit = textOf('tools/systemd/purlin-networks.service')
  expect(textOf('docs/guide/start.md').replaceAll(/^ {3}/gm, '')).toContain(`\`\`\`ini\n${unit}\`\`\``)
})

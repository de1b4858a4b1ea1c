import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { lacks, notEverywhere, omits, skipsVariable } from './skips.ts'

let folder: string
const file = () => join(folder, 'skips')
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'purlin-skips-'))
  vi.stubEnv(skipsVariable, file())
})
afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(folder, { recursive: true })
})
const recorded = () =>
  readFileSync(file(), 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as unknown)

it('a test that lacks something is skipped, and the reason is recorded with its file', () => {
  vi.stubEnv('CI', '')
  expect([lacks(false), lacks(undefined), lacks('install it')]).toEqual([false, false, true])
  expect(recorded()).toEqual([{ file: fileURLToPath(import.meta.url), reason: 'install it' }])
})

it('in CI it fails, except for what no package or right brings', () => {
  vi.stubEnv('CI', 'true')
  expect(() => lacks('install it')).toThrow('In CI this test is not skipped: install it')
  expect(lacks(notEverywhere.controlGroups)).toBe(true)
  expect(omits('it is long')).toBe(true)
  expect(recorded()).toHaveLength(2)
})

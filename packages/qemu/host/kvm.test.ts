import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { hasKvm } from './kvm.ts'

const folder = mkdtempSync(join(tmpdir(), 'purlin-kvm-'))
afterEach(() => rmSync(folder, { recursive: true }))

it('the processor is used for virtual machines if it can, and if this process may', async () => {
  const [device, processors] = [join(folder, 'kvm'), join(folder, 'processors')]
  const flags = (words: string) =>
    writeFileSync(processors, `model name\t: svm\nflags\t\t: fpu ${words} sse\n`)
  flags('vmx')
  expect(await hasKvm(device, processors)).toBe(false)
  writeFileSync(device, '')
  expect(await hasKvm(device, processors)).toBe(true)
  flags('svm')
  expect(await hasKvm(device, processors)).toBe(true)
  flags('tsc')
  expect(await hasKvm(device, processors)).toBe(false)
})

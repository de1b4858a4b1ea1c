import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { takeDataDir } from './data-dir.ts'

let root: string
beforeEach(() => (root = mkdtempSync(join(tmpdir(), 'purlin-data-'))))
afterEach(() => rmSync(root, { recursive: true, force: true }))

describe('the data folder', () => {
  it('is made for its owner only', () => {
    const folder = join(root, 'a/b')
    const taken = takeDataDir(folder)
    expect(statSync(folder).mode & 0o777).toBe(0o700)
    expect(taken.file).toBe(join(folder, 'purlin.db'))
    taken.release()
  })

  it('belongs to one server at a time', () => {
    const first = takeDataDir(root)
    expect(() => takeDataDir(root)).toThrow(/Another Purlin server is using the data folder/)
    first.release()
    takeDataDir(root).release()
  })

  it('is free again after its server was killed', async () => {
    const source = `import { takeDataDir } from ${JSON.stringify(import.meta.resolve('./data-dir.ts'))}
      // Held, because the lock ends when it is collected.
      globalThis.held = takeDataDir(process.argv[1]); console.log('taken'); setInterval(() => {}, 1000)`
    const other = spawn(process.execPath, ['--input-type=module', '-e', source, root], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const ended = once(other, 'exit')
    try {
      await once(other.stdout, 'data')
      expect(() => takeDataDir(root)).toThrow(/Another Purlin server/)
    } finally {
      other.kill('SIGKILL')
      await ended
    }
    takeDataDir(root).release()
  })

  it('that cannot be made gives an error with the reason', () => {
    writeFileSync(join(root, 'file'), '')
    expect(() => takeDataDir(join(root, 'file'))).toThrow(/cannot be used: it is a file/)
  })
})

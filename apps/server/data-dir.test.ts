import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { takeDataDir } from './data-dir.ts'

let place: string
beforeEach(() => (place = mkdtempSync(join(tmpdir(), 'purlin-data-'))))
afterEach(() => rmSync(place, { recursive: true, force: true }))

describe('the data folder', () => {
  it('is made for its owner only', () => {
    const folder = join(place, 'a/b')
    const taken = takeDataDir(folder)
    expect(statSync(folder).mode & 0o777).toBe(0o700)
    expect(taken.file).toBe(join(folder, 'purlin.db'))
    taken.release()
  })

  it('belongs to one server at a time', () => {
    const first = takeDataDir(place)
    expect(() => takeDataDir(place)).toThrow(/Another Purlin server is using the data folder/)
    first.release()
    takeDataDir(place).release()
  })

  it('is free again after its server was killed', async () => {
    const source = `import { takeDataDir } from ${JSON.stringify(import.meta.resolve('./data-dir.ts'))}
      takeDataDir(process.argv[1]); console.log('taken'); setInterval(() => {}, 1000)`
    const other = spawn(process.execPath, ['--input-type=module', '-e', source, place], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    await once(other.stdout, 'data')
    expect(() => takeDataDir(place)).toThrow(/Another Purlin server/)
    other.kill('SIGKILL')
    await once(other, 'exit')
    takeDataDir(place).release()
  })

  it('that cannot be made says why', () => {
    writeFileSync(join(place, 'file'), '')
    expect(() => takeDataDir(join(place, 'file'))).toThrow(/cannot be used: EEXIST/)
  })
})

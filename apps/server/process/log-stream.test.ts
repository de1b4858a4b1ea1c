import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openLogStream, type LogStream } from './log-stream.ts'

let folder: string
let fd: number
let stream: LogStream
const written = () => readFileSync(join(folder, 'log'), 'utf8')
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'purlin-log-'))
  fd = openSync(join(folder, 'log'), 'w')
  stream = openLogStream(fd)
})
afterEach(() => {
  closeSync(fd)
  rmSync(folder, { recursive: true, force: true })
})

describe('the log stream', () => {
  it('collects lines and writes them in order', async () => {
    stream.write('one\n')
    stream.write('zwölf\n')
    expect(written()).toBe('')
    await stream.flush()
    expect(written()).toBe('one\nzwölf\n')
  })

  it('writes after a moment, and immediately if there is much', async () => {
    stream.write('soon\n')
    await expect.poll(written).toBe('soon\n')
    const line = `${'x'.repeat(999)}\n`
    for (let i = 0; i < 200; i++) stream.write(line)
    await stream.flush()
    expect(written()).toHaveLength(5 + 200_000)
  })

  it('drops lines, and logs how many, instead of filling the memory', async () => {
    const big = `${'x'.repeat(1024 * 1024)}\n`
    for (let i = 0; i < 12; i++) stream.write(big)
    await stream.flush()
    stream.write('later\n')
    await stream.flush()
    expect(written()).toMatch(/\d log lines were lost/)
    expect(written().endsWith('later\n')).toBe(true)
  })

  it('writes the rest when the process exits', () => {
    stream.write('last\n')
    stream.flushSync()
    expect(written()).toBe('last\n')
  })

  it('without a reader does no harm', async () => {
    const nowhere = openLogStream(9999)
    nowhere.write('x\n')
    await nowhere.flush()
    nowhere.write('y\n')
    nowhere.flushSync()
  })
})

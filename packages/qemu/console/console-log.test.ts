import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { createLogTrimmer, readLog, readRange, skipDropped, startOfLast } from './console-log.ts'

const MiB = 1024 ** 2
const folder = mkdtempSync(join(tmpdir(), 'purlin-log-'))
const path = join(folder, 'console.log')
afterAll(() => rmSync(folder, { recursive: true }))

it('keeps the first and the latest MiB with their offsets, and gives the room of the middle back', async () => {
  writeFileSync(path, Buffer.concat([Buffer.alloc(12 * MiB - 3, '.'), Buffer.from('end')]))
  expect(await readRange(path, { from: MiB - 1, max: 10 })).toMatchObject({ end: MiB })
  for (const from of [MiB, 11 * MiB - 1]) expect(await readRange(path, { from, max: 10 })).toBe('dropped')
  expect(await readRange(path, { from: 11 * MiB, max: 10 })).toMatchObject({ end: 11 * MiB + 10 })
  expect(await readRange(path, { last: 3, max: 10 })).toEqual({
    data: Uint8Array.from(Buffer.from('end')),
    end: 12 * MiB,
  })
  expect(await readRange(path, { from: 13 * MiB, max: 10 })).toMatchObject({ end: 12 * MiB })
  expect([startOfLast(5 * MiB, 12 * MiB), startOfLast(Infinity, 12 * MiB)]).toEqual([11 * MiB, 0])
  expect([skipDropped(2 * MiB, 12 * MiB), skipDropped(5, 12 * MiB)]).toEqual([11 * MiB, 5])

  const roomOf = () => statSync(path).blocks * 512
  const trim = createLogTrimmer(path)
  await trim()
  expect(roomOf()).toBeLessThan(3 * MiB)
  expect(statSync(path).size).toBe(12 * MiB)
  expect(Buffer.from(await readLog(path, 12 * MiB - 3)).toString()).toBe('end')
  // The log of another boot is new.
  writeFileSync(path, Buffer.alloc(7 * MiB, '.'))
  await trim()
  expect(roomOf()).toBeLessThan(3 * MiB)
})

it('has no output where there is no log', async () => {
  expect(await readRange(join(folder, 'none'), { last: 10, max: 10 })).toMatchObject({ end: 0 })
})

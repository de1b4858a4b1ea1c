import { rmSync, statSync, writeFileSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as next } from 'node:timers/promises'
import { MiB } from '@purlin/contract/rules/limits'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openDiskReserve } from './disk-reserve.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'purlin-room-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

it('a reserve that another server of the folder is writing is not cut off', async () => {
  const path = join(folder, 'purlin.reserve')
  writeFileSync(path, new Uint8Array(MiB))
  const said: string[] = []
  const say = (_fields: object, message: string) => void said.push(message)
  const reserve = openDiskReserve(folder, { info: say, warn: say, error: say })
  const sizes = [MiB]
  while (Math.max(...sizes) === MiB) {
    sizes.push(statSync(path).size)
    await next()
  }
  await reserve.close()
  expect(Math.min(...sizes)).toBe(MiB)
  expect(reserve.isFull()).toBe(false)
  expect(said.filter((message) => !message.includes('5 %'))).toEqual([])
})

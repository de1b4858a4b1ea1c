import { expect, it } from 'vitest'
import { createLogRing } from './log-ring.ts'

it('keeps the newest lines of a log, in bounded memory', () => {
  const ring = createLogRing(100_000)
  expect(String(Buffer.concat(ring.newest()))).toBe('')
  ring.write('one\n')
  ring.write('zwölf\n')
  expect(String(Buffer.concat(ring.newest()))).toBe('one\nzwölf\n')
  for (let i = 0; i < 50_000; i++) ring.write(`line ${i}\n`)
  const kept = String(Buffer.concat(ring.newest()))
  expect(kept.length).toBeGreaterThan(50_000)
  expect(kept.length).toBeLessThan(200_000)
  expect(kept.endsWith('line 49998\nline 49999\n')).toBe(true)
  expect(kept).toMatch(/^line \d+\n/)
})

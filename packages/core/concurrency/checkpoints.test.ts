import { expect, it } from 'vitest'
import { yieldToEventLoop } from './checkpoints.ts'

it('each pass of the event loop continues one part of all long work, in order', async () => {
  const log: string[] = []
  let isDone = false
  const count = () => {
    log.push('|')
    if (!isDone) setImmediate(count)
  }
  setImmediate(count)
  const work = async (name: string) => {
    for (let part = 0; part < 3; part++) {
      await yieldToEventLoop()
      log.push(name)
    }
  }
  await Promise.all([work('a'), work('b'), work('c')])
  isDone = true
  expect(log.filter((one) => one !== '|').join('')).toBe('abcabcabc')
  expect(log.join('')).not.toMatch(/[abc]{2}/)
})

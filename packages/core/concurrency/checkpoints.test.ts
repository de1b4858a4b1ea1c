import { expect, it } from 'vitest'
import { yieldToEventLoop } from './checkpoints.ts'

it('of all long work, one part goes on in each pass of the event loop, in order', async () => {
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

import { describe, expect, it } from 'vitest'
import { createHeartbeat } from './heartbeat.ts'
import { settings } from './settings.ts'

describe('the heartbeat of the database', () => {
  function open() {
    const questions: PromiseWithResolvers<void>[] = []
    const reasons: unknown[] = []
    const question = () => {
      const asked = Promise.withResolvers<void>()
      questions.push(asked)
      return asked.promise
    }
    const heartbeat = createHeartbeat(question, (reason) => reasons.push(reason))
    const ticks = (count: number) => {
      for (let i = 0; i < count; i++) heartbeat.tick()
    }
    return { heartbeat, questions, reasons, ticks }
  }
  const inTime = settings.answerMs / settings.heartbeatMs

  it('notices silence within two seconds', () => {
    expect(settings.heartbeatMs + settings.answerMs).toBeLessThanOrEqual(2_000)
    expect(Number.isInteger(inTime)).toBe(true)
  })

  it('asks again at each tick while the database answers', async () => {
    const { questions, reasons, ticks } = open()
    for (let i = 0; i < 10; i++) {
      ticks(1)
      questions.at(-1)?.resolve()
      await Promise.resolve()
    }
    expect(questions).toHaveLength(10)
    expect(reasons).toEqual([])
  })

  it('is silent once an answer is late, which it may be by a tick less', async () => {
    const { questions, reasons, ticks } = open()
    ticks(1 + inTime - 1)
    expect(reasons).toEqual([])
    questions[0]?.resolve()
    await Promise.resolve()
    ticks(1 + inTime - 1)
    expect(questions).toHaveLength(2)
    expect(reasons).toEqual([])
    ticks(1)
    expect(reasons).toEqual([new Error('it does not answer')])
  })

  it('reports the failure of a question immediately', async () => {
    const { heartbeat, questions, reasons } = open()
    heartbeat.ask()
    heartbeat.ask()
    expect(questions).toHaveLength(1)
    questions[0]?.reject(new Error('reset'))
    await new Promise(setImmediate)
    expect(reasons).toEqual([new Error('reset')])
  })
})

import { expect, it } from 'vitest'
import { createTurns } from './turns.ts'

/** An event loop whose passes and time the test decides. */
function loop() {
  let time = 0
  let then: (() => void)[] = []
  const turns = createTurns({ now: () => time, afterInput: (next) => then.push(next) })
  const began: string[] = []
  return {
    began,
    spend: (ms: number) => (time += ms),
    arrive: (client: string, name: string) => {
      const turn = turns(client)
      if (turn) void turn.then(() => began.push(name))
      else began.push(name)
    },
    pass: async () => {
      const callbacks = then
      then = []
      for (const callback of callbacks) callback()
      await Promise.resolve()
    },
  }
}

it('requests begin at once while the pass of the loop is young', () => {
  const { arrive, began, spend } = loop()
  for (const name of ['a', 'b', 'c']) {
    arrive('one', name)
    spend(3)
  }
  expect(began).toEqual(['a', 'b', 'c'])
})

it('and one in each pass once it has been busy for long', async () => {
  const { arrive, began, spend, pass } = loop()
  for (const name of ['a', 'b', 'c']) {
    arrive('one', name)
    spend(12)
  }
  expect(began).toEqual(['a'])
  await pass()
  expect(began).toEqual(['a', 'b'])
  await pass()
  await pass()
  arrive('one', 'd')
  expect(began).toEqual(['a', 'b', 'c', 'd'])
})

it('a client with many requests does not delay another', async () => {
  const { arrive, began, spend, pass } = loop()
  arrive('greedy', 'g0')
  spend(20)
  for (let i = 1; i <= 50; i++) arrive('greedy', `g${i}`)
  arrive('modest', 'm0')
  arrive('modest', 'm1')
  for (let i = 0; i < 4; i++) {
    await pass()
    spend(20)
  }
  expect(began).toEqual(['g0', 'm0', 'g1', 'm1', 'g2'])
})

it('cheap requests do not wait behind the expensive ones of another', async () => {
  const { arrive, began, spend, pass } = loop()
  for (let i = 0; i < 10; i++) {
    arrive('costly', `c${i}`)
    if (i === 0) spend(50)
  }
  for (let i = 0; i < 5; i++) {
    arrive('cheap', `p${i}`)
    await pass()
    spend(began.at(-1)?.startsWith('c') ? 50 : 1)
  }
  expect(began.filter((name) => name.startsWith('p'))).toHaveLength(5)
})

it('all that waited begin in the end', async () => {
  const { arrive, began, spend, pass } = loop()
  for (let i = 0; i < 100; i++) {
    arrive(`client ${i % 7}`, `r${i}`)
    spend(1)
  }
  for (let i = 0; i < 100; i++) await pass()
  expect(began).toHaveLength(100)
  expect(new Set(began).size).toBe(100)
})

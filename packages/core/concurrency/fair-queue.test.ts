import { expect, it } from 'vitest'
import { createFairQueue } from './fair-queue.ts'

/** An event loop whose passes and time the test decides. */
function loop() {
  let time = 0
  const then: (() => void)[] = []
  const work: (() => void)[] = []
  const queue = createFairQueue({
    now: () => time,
    afterInput: (next) => then.push(next),
    afterWork: (next) => work.push(next),
    most: 100,
    refusal: () => new Error('too many wait'),
  })
  const began: string[] = []
  return {
    began,
    /** A request that takes this many ms once it begins. */
    arrive: (client: string, name: string, ms: number) => {
      const run = () => {
        began.push(name)
        time += ms
      }
      const turn = queue(client)
      if (turn) void turn.then(run)
      else run()
    },
    pass: async () => {
      for (let callbacks = then.splice(0); callbacks.length > 0; callbacks = work.splice(0)) {
        for (const callback of callbacks) callback()
        await Promise.resolve()
      }
    },
  }
}

it('requests begin immediately while the pass of the loop has time', () => {
  const { arrive, began } = loop()
  for (const name of ['a', 'b', 'c']) arrive('one', name, 3)
  expect(began).toEqual(['a', 'b', 'c'])
})

it('a busy loop begins as many in each pass as there is time for, at least one', async () => {
  const { arrive, began, pass } = loop()
  for (const name of ['a', 'b', 'c']) arrive('one', name, 12)
  for (const name of ['d', 'e', 'f', 'g']) arrive('one', name, 4)
  expect(began.splice(0)).toEqual(['a'])
  await pass()
  expect(began.splice(0)).toEqual(['b'])
  await pass()
  expect(began.splice(0)).toEqual(['c'])
  await pass()
  expect(began.splice(0)).toEqual(['d', 'e', 'f'])
  await pass()
  await pass()
  arrive('one', 'h', 1)
  expect(began).toEqual(['g', 'h'])
})

it('a client with many requests does not delay another', async () => {
  const { arrive, began, pass } = loop()
  for (let i = 0; i <= 50; i++) arrive('greedy', `g${i}`, 20)
  for (let i = 0; i < 2; i++) arrive('modest', `m${i}`, 20)
  for (let i = 0; i < 4; i++) await pass()
  expect(began).toEqual(['g0', 'm0', 'g1', 'm1', 'g2'])
})

it('cheap requests do not wait behind the expensive ones of another', async () => {
  const { arrive, began, pass } = loop()
  for (let i = 0; i < 10; i++) arrive('costly', `c${i}`, 50)
  for (let i = 0; i < 5; i++) {
    arrive('cheap', `p${i}`, 1)
    await pass()
  }
  expect(began.filter((name) => name.startsWith('p'))).toHaveLength(5)
})

it('ever new clients do not keep back one that is known', async () => {
  const { arrive, began, pass } = loop()
  arrive('known', 'k0', 20)
  let news = 0
  const arriveNew = () => arrive(`new ${news}`, `n${news++}`, 5)
  for (let i = 0; i < 5; i++) arriveNew()
  arrive('known', 'k1', 20)
  for (let i = 0; i < 100 && !began.includes('k1'); i++) {
    await pass()
    for (let j = 0; j < 2; j++) arriveNew()
  }
  expect(began).toContain('k1')
  expect(began.length).toBeLessThan(40)
})

it('all that waited begin in the end', async () => {
  const { arrive, began, pass } = loop()
  for (let i = 0; i < 100; i++) arrive(`client ${i % 7}`, `r${i}`, 1)
  for (let i = 0; i < 100; i++) await pass()
  expect(began).toHaveLength(100)
  expect(new Set(began).size).toBe(100)
})

it('a client with too many waiting requests is refused one more, and others are not', () => {
  const { arrive } = loop()
  for (let i = 0; i <= 100; i++) arrive('greedy', `g${i}`, 20)
  expect(() => arrive('greedy', 'one more', 20)).toThrow('too many wait')
  expect(() => arrive('modest', 'm', 20)).not.toThrow()
})

import { describe, expect, it } from 'vitest'
import { createBodyBudget } from './body-budget.ts'

const most = { user: 10, address: 4, strangers: 6, all: 15 }

describe('the budget of bodies', () => {
  it('is limited per user and in total, and released bytes are available again', () => {
    const budget = createBodyBudget(most)
    const [ann, more, bob] = [budget.share('ann', ''), budget.share('ann', ''), budget.share('bob', '')]
    expect([ann.take(7), more.take(4), more.take(3), bob.take(6), bob.take(5)]).toEqual([
      true,
      false,
      true,
      false,
      true,
    ])
    ann.release()
    ann.release()
    expect([bob.take(5), bob.take(1), more.take(2), more.take(1)]).toEqual([true, false, true, false])
  })

  it('is limited for strangers by address and for all of them', () => {
    const budget = createBodyBudget(most)
    const from = (address: string) => budget.share(null, address)
    expect([from('a').take(4), from('a').take(1), from('b').take(3), from('b').take(2)]).toEqual([
      true,
      false,
      false,
      true,
    ])
    expect(budget.share('ann', 'a').take(9)).toBe(true)
  })
})

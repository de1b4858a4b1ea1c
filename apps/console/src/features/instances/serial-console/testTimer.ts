import type { Timer } from './typing.ts'

/** A clock that only moves when it is advanced. */
export function testTimer(): Timer & { advance(ms: number): void } {
  let now = 0
  let due: { at: number; fn: () => void }[] = []
  return {
    now: () => now,
    after(ms, fn) {
      const entry = { at: now + ms, fn }
      due.push(entry)
      return () => (due = due.filter((one) => one !== entry))
    },
    advance(ms) {
      const end = now + ms
      for (;;) {
        const [next] = due.filter(({ at }) => at <= end).toSorted((a, b) => a.at - b.at)
        if (!next) break
        due = due.filter((one) => one !== next)
        now = next.at
        next.fn()
      }
      now = end
    },
  }
}

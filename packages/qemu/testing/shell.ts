/** The shell of a guest, at its serial console. */
import { randomUUID } from 'node:crypto'
import { expect, vi } from 'vitest'

const patient = { timeout: 120_000, interval: 20 }

/** Types at the shell of a guest, once it is ready. */
export async function shellOf(console: { output: () => string; write: (text: string) => void }) {
  const { output, write } = console
  const shows = (words: string) => vi.waitFor(() => expect(output()).toContain(words), patient)
  await shows('guest-is-ready')
  return {
    output,
    /** Runs a line, and returns what it has written. */
    async type(line: string): Promise<string> {
      // The shell makes the words of two, so that an echo of the line is neither.
      const word = randomUUID().slice(0, 8)
      write(`echo be""gin-${word}; ${line}; echo do""ne-${word}\n`)
      await shows(`done-${word}`)
      const [, said = ''] = output().split(`begin-${word}`)
      return said.split(`done-${word}`, 1).join('').trim()
    },
  }
}

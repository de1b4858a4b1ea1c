/** The shell of a guest, at its serial console. */
import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { SledDriver } from '@purlin/core/ports'

const [mostMs, lookMs] = [120_000, 20]

/** Types at the shell of a guest, once it is ready. */
export async function shellOf(console: {
  output: () => string
  write: (text: string) => void
  /** Why the console has ended, once it has. */
  ended?: () => string | undefined
}) {
  const { output, write, ended } = console
  async function shows(words: string): Promise<void> {
    for (const until = Date.now() + mostMs; !output().includes(words); await wait(lookMs)) {
      const why = ended?.() ?? (Date.now() > until ? 'no answer' : undefined)
      if (why !== undefined)
        throw new Error(`the console of the guest lacks "${words}" (${why}): ${output()}`)
    }
  }
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

export type GuestShell = Awaited<ReturnType<typeof openShell>>

/** The shell of a machine of a driver. */
export async function openShell(driver: Pick<SledDriver, 'openConsole'>, at: { id: string; sledId: string }) {
  let output = ''
  let ended: string | undefined
  const stream = await driver.openConsole(
    at,
    { last: Infinity },
    {
      data: (bytes) => void (output += new TextDecoder().decode(bytes)),
      closed: (reason) => void (ended = reason),
    },
  )
  const shell = await shellOf({
    output: () => output,
    ended: () => ended,
    write: (words) => stream?.write(new TextEncoder().encode(words)),
  })
  return { ...shell, close: () => stream?.close() }
}

/** The shell of a guest, at its serial console. */
import { randomUUID } from 'node:crypto'
import type { SledDriver } from '@purlin/core/ports'
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

export type GuestShell = Awaited<ReturnType<typeof openShell>>

/** The shell of a machine of a driver. */
export async function openShell(driver: Pick<SledDriver, 'openConsole'>, at: { id: string; sledId: string }) {
  let output = ''
  const stream = await driver.openConsole(at, Infinity, {
    data: (bytes) => void (output += new TextDecoder().decode(bytes)),
    closed: () => undefined,
  })
  const shell = await shellOf({
    output: () => output,
    write: (words) => stream?.write(new TextEncoder().encode(words)),
  })
  return { ...shell, close: () => stream?.close() }
}

/** The progress of an upload, as one line of a terminal. */
import { formatBytes, GiB, KiB, MiB } from '@purlin/contract/rules/limits'
import { write, type Io } from '../io.ts'

const everyMs = 200

/** Three digits of a count of bytes: `1.25 GiB`. */
function rounded(count: number): string {
  const [unit, name] = count >= GiB ? [GiB, 'GiB'] : count >= MiB ? [MiB, 'MiB'] : [KiB, 'KiB']
  return count < KiB ? formatBytes(count) : `${(count / unit).toPrecision(3)} ${name}`
}

export interface Progress {
  moved: (done: number) => Promise<void>
  end: () => Promise<void>
}

/** Shows the progress in a terminal; nowhere else. */
export function progressOf(io: Io, { from, total }: { from: number; total: number }): Progress {
  const isShown = io.stderr.isTTY === true
  const began = io.now()
  let last = 0
  const show = (done: number) => {
    const seconds = Math.max(0.001, (io.now() - began) / 1000)
    const rate = rounded((done - from) / seconds)
    return write(io.stderr, `\r\u001b[K${Math.floor((100 * done) / total)}% of ${rounded(total)}, ${rate}/s`)
  }
  return {
    async moved(done) {
      if (!isShown || io.now() - last < everyMs) return
      last = io.now()
      await show(done)
    },
    end: async () => (isShown ? write(io.stderr, '\r\u001b[K') : undefined),
  }
}

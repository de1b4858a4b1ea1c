/** Loaded into a server before its own code: the first host of its rack has a log of PURLIN_BENCH_LOG bytes. */
import type { DiagnosticFile } from '@purlin/core/ports'
import { createSimulatedSleds } from '@purlin/sleds/sim'

const bytes = Number(process.env['PURLIN_BENCH_LOG'])
// As they come over TLS (RFC 8446, section 5.1).
const pieceLength = 16 * 1024
const words = ['accepted', 'refused', 'started', 'stopped', 'migrated', 'answered', 'waited', 'failed']

function* lines(): Generator<string> {
  let state = 1
  for (let i = 0; ; i++) {
    state = (state * 48_271) % 2_147_483_647
    yield `{"time":${1_700_000_000_000 + i},"request":"${state.toString(36)}","msg":"${words[state % 8]}","ms":${state % 997}}\n`
  }
}

async function* log(): AsyncGenerator<Uint8Array> {
  // Some pieces, again and again with other numbers: the time to make lines is not what is measured.
  const source = lines()
  const pieces = Array.from({ length: 256 }, () => {
    let text = ''
    while (text.length < pieceLength) text += source.next().value
    return Buffer.from(text.slice(0, pieceLength))
  })
  for (let at = 0; at < bytes; at += pieceLength) {
    const piece = Buffer.from(pieces[(at / pieceLength) % pieces.length] ?? '')
    piece.write(String(at), 8)
    yield await Promise.resolve(piece)
  }
}

const clock = { now: () => Date.now(), after: () => () => undefined }
Object.assign(Object.getPrototypeOf(createSimulatedSleds({ clock })) as object, {
  async *diagnostics(): AsyncGenerator<DiagnosticFile> {
    yield await Promise.resolve({ serial: 'PRS26110001', name: 'log.txt', content: log() })
  },
})

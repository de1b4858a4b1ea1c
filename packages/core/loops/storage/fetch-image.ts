/** Fetches the file of an image import, from where an earlier attempt was interrupted. */
import { importLimits } from '@purlin/contract/rules/images/imports'
import { formatBytes } from '@purlin/contract/rules/limits'
import { inPieces } from '#/bytes.ts'
import { NotDownloaded, NotUnpacked, type Download } from '#/ports.ts'
import { beginning, change, changeCharged, NotWanted, type Work } from './import-claims.ts'
import { checkFree } from './import-space.ts'

const saveEveryMs = 2_000
const minuteMs = 60_000

/** Fetches the rest. Throws NotDownloaded, NotUnpacked, NotWanted, StorageFull. */
export async function fetchFile(work: Work): Promise<void> {
  const { world, ports, claim } = work
  const { url, received, validator } = claim.row
  if (url === null) throw new NotWanted('its bytes are uploaded')
  const from = received > 0 && validator !== null ? { offset: received, validator } : undefined
  const download = await ports.downloads.open(url, from)
  const most = Math.min(importLimits.file, ports.files.most)
  if (download.size !== null && download.size > most) throw tooLarge(most)
  const { size } = download
  await checkFree(work, (size ?? download.offset) - download.offset)
  const again = download.offset === 0 && received > 0 ? beginning(world) : {}
  const changes = { ...again, size, validator: download.validator }
  await changeCharged(work, { file: size ?? download.offset }, changes)
  const end = await save(work, download, most)
  if (size !== null && end !== size)
    throw new NotDownloaded('the connection broke before the end of the file', { mayPass: true })
  if (end === 0) throw new NotUnpacked('The file is empty')
  await changeCharged(
    work,
    { file: end },
    { received: end, size: end, state: 'unpacking', attempts: 0, problem: null },
  )
}

const tooLarge = (most: number) =>
  new NotUnpacked(`The file is larger than ${formatBytes(most)}, which is the limit`)

/** The bytes, as long as there are enough of them in each minute. What came before is no progress otherwise. */
async function* swift({ world, claim }: Work, { bytes }: Download): AsyncGenerator<Uint8Array> {
  const { clock } = world
  const { attempts } = claim.row
  let [since, got] = [clock.now(), 0]
  for await (const piece of bytes) {
    if (claim.isLost) throw new NotWanted('the claim is lost')
    got += piece.length
    if (clock.now() >= since + minuteMs) {
      if (got < importLimits.perMinute) {
        await change(world, claim, { attempts })
        throw new NotDownloaded(
          `The server sends less than ${formatBytes(importLimits.perMinute)} a minute`,
          {
            mayPass: true,
          },
        )
      }
      ;[since, got] = [clock.now(), 0]
    }
    yield piece
  }
}

/** Stores the bytes, and records from time to time how many are on stable storage. Returns where they end. */
async function save(work: Work, download: Download, most: number): Promise<number> {
  const { world, ports, claim } = work
  const { offset } = download
  const { files } = ports
  let at = offset
  let savedAt = world.clock.now()
  for await (const piece of inPieces(swift(work, download))) {
    if (at + piece.length > most) throw tooLarge(most)
    await files.write(claim.row.fileId, at, piece)
    at += piece.length
    if (world.clock.now() < savedAt + saveEveryMs) continue
    await files.flush(claim.row.fileId)
    const file = Math.max(at, claim.row.size ?? 0)
    await changeCharged(work, { file }, { received: at, attempts: 0, problem: null })
    savedAt = world.clock.now()
  }
  if (at > offset) await files.flush(claim.row.fileId)
  return at
}

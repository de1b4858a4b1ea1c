/** Makes an image of a complete file: checks its digest, recognises its form, and stores the disk in a layer. */
import { headLength, recogniseImage, type ImageFormat } from '@purlin/contract/rules/images/formats'
import { chargedFor } from '@purlin/contract/rules/images/imports'
import { formatBytes, GiB, limits, MiB } from '@purlin/contract/rules/limits'
import { inPieces } from '#/bytes.ts'
import { startSharingTime } from '#/concurrency/checkpoints.ts'
import { withoutRequest } from '#/context.ts'
import { NotUnpacked } from '#/ports.ts'
import { bytesBetween } from '#/resources/bundles/bundle-files.ts'
import { notUsed } from '#/resources/kind/last-use.ts'
import { deleteRow, insertNamed } from '#/resources/kind/rows.ts'
import { releaseImport } from '#/resources/storage/import-charges.ts'
import { markWritten, newLayer } from '#/resources/storage/layers.ts'
import { change, changeCharged, changeIn, NotWanted, type Work } from './import-claims.ts'
import { checkFree } from './import-space.ts'

/** Makes the image, which replaces the import. Throws NotUnpacked, NotWanted, StorageFull, BytesMissing, Fault. */
export async function makeImage(work: Work): Promise<void> {
  const found = await recognise(work)
  await checkFree(work, found.diskSize)
  await chargeDisk(work, found.diskSize)
  // Not before: one that waits for quota must not read its whole file each time.
  await checkDigest(work)
  const layerId = await beginLayer(work, found.format)
  const size = await fill(work, found, layerId)
  await replaceByImage(work, size)
}

const wholeFile = ({ ports, claim: { row } }: Work) =>
  bytesBetween(ports.files, row.fileId, { from: 0, to: row.received })

/** Throws NotUnpacked unless the file has the digest that its user expects. */
async function checkDigest(work: Work): Promise<void> {
  const { world, claim } = work
  const { sha256: expected } = claim.row
  if (expected === null) return
  const hash = world.sha256()
  for await (const piece of checked(work, wholeFile(work))) hash.update(piece)
  const actual = hash.hex()
  if (actual !== expected)
    throw new NotUnpacked(`The file has the SHA-256 ${actual}, not the one that was given`)
}

/** The bytes, as long as the import is wanted here. Other work gets its time. */
async function* checked(
  { claim, isStopped }: Work,
  bytes: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  const rest = startSharingTime()
  for await (const piece of bytes) {
    if (claim.isLost || isStopped()) throw new NotWanted('the import is not wanted here any more')
    yield piece
    await rest()
  }
}

interface Found {
  format: ImageFormat
  /** Bytes of the disk, or of the file if only that is known. */
  diskSize: number
}

async function recognise({ ports, claim: { row } }: Work): Promise<Found> {
  const bytes = await ports.files.read(row.fileId, 0, headLength)
  const found = recogniseImage({ bytes, size: row.received })
  if ('problem' in found) throw new NotUnpacked(found.problem)
  const { format, diskSize = row.received } = found
  checkDiskSize(diskSize)
  return { format, diskSize }
}

function checkDiskSize(bytes: number): void {
  const { maxSize } = limits.disk
  if (bytes > maxSize)
    throw new NotUnpacked(
      `Its disk has ${formatBytes(bytes)}, but disks have at most ${formatBytes(maxSize)}`,
    )
}

/** Charges the disk as far as it is known. Throws 507 without quota. */
async function chargeDisk(work: Work, disk: number): Promise<void> {
  const { row } = work.claim
  const size = { file: row.received, disk }
  if (chargedFor(size) > (row.charged ?? 0)) await changeCharged(work, size, {})
}

/** A new layer: that of an earlier attempt, which no row refers to then, is deleted. */
async function beginLayer({ world, claim }: Work, format: ImageFormat): Promise<string> {
  const now = world.clock.now()
  await change(world, claim, async (tx) => ({
    format,
    layerId: await newLayer({ tx, world, now }, null),
    problem: null,
  }))
  return claim.row.layerId ?? ''
}

/** Bytes from one check of the room to the next. A piece has 1 MiB, except for the last one. */
const checkEvery = 64 * MiB

/** Stores the disk and returns its size: whole GiB, as disks have. */
async function fill(work: Work, { format, diskSize }: Found, layerId: string): Promise<number> {
  const { world, ports, claim } = work
  const isPacked = format !== 'raw' && format !== 'iso'
  const content = isPacked ? ports.unpacker.unpack(claim.row.fileId, format, claim.lost) : wholeFile(work)
  const chain = [{ id: layerId, hasBytes: false }]
  let head: Uint8Array | undefined
  let size = 0
  for await (const piece of checked(work, inPieces(content))) {
    head ??= piece.slice(0, headLength)
    if (size === 0 && isPacked) checkInside(head, Infinity)
    checkDiskSize(size + piece.length)
    if (size % checkEvery === 0) {
      await checkFree(work, Math.max(diskSize - size, checkEvery))
      await chargeDisk(work, size + piece.length)
    }
    await world.blobs.write(chain, size, inBlocks(piece, claim.row.blockSize))
    size += piece.length
  }
  if (isPacked) checkInside(head ?? new Uint8Array(0), size)
  await world.blobs.flush(layerId)
  await world.engine.transaction('write', (tx) => markWritten(tx, [layerId]))
  return Math.ceil(size / GiB) * GiB
}

/** Throws NotUnpacked unless the inner bytes are those of a disk. */
function checkInside(bytes: Uint8Array, size: number): void {
  const found = recogniseImage({ bytes, size })
  if ('problem' in found) throw new NotUnpacked(`${found.problem} (inside of the packed file)`)
  if (found.format !== 'raw' && found.format !== 'iso')
    throw new NotUnpacked(
      `The packed file holds another one of the form ${found.format}. Unpack it once first`,
    )
}

/** The bytes, with zeros up to the end of the last block. */
function inBlocks(bytes: Uint8Array, blockSize: number): Uint8Array {
  const length = Math.ceil(bytes.length / blockSize) * blockSize
  if (length === bytes.length) return bytes
  const padded = new Uint8Array(length)
  padded.set(bytes)
  return padded
}

async function replaceByImage({ world, claim }: Work, size: number): Promise<void> {
  const { engine, clock } = world
  await claim.locked(() =>
    engine.transaction('write', async (tx) => {
      const row = await changeIn(tx, claim, {})
      const { id, name, description, siloId, projectId, os, version, blockSize, layerId } = row
      const { isProtected, tagsJson } = row
      const ctx = { ...withoutRequest(tx), world }
      const now = clock.now()
      await deleteRow('imageImport')(ctx, row)
      await releaseImport({ tx, now }, row)
      await insertNamed(ctx, 'image', {
        id,
        name,
        description,
        timeCreated: now,
        timeModified: now,
        siloId,
        projectId,
        scopeId: projectId,
        os,
        version,
        size,
        blockSize,
        layerId,
        digest: null,
        digestDueAt: now,
        isProtected,
        tagsJson,
        ...notUsed,
      })
    }),
  )
  claim.lose()
}

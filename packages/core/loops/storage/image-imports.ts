/**
 * Makes images of files that are fetched or uploaded. A server takes an import by a claim in its row, and a fetch
 * continues where it was interrupted, on any server. Decision 0084.
 */
import { chargedFor, importLimits, shownAddress } from '@purlin/contract/rules/images/imports'
import type { Waking, World } from '#/context.ts'
import { withoutRequest } from '#/context.ts'
import { isOutage } from '#/db/engine.ts'
import { isBackupUnderWay } from '#/db/rows/backup-lease.ts'
import type { Tx } from '#/db/tables.ts'
import { Fault } from '#/faults.ts'
import { BytesMissing, NotDownloaded, NotUnpacked, StorageFull } from '#/ports.ts'
import { deleteRow } from '#/resources/kind/rows.ts'
import type { ImportPorts } from '#/resources/storage/import-files.ts'
import type { Loop } from '../loop.ts'
import {
  beginning,
  change,
  claimNext,
  holdClaim,
  NotWanted,
  type Claim,
  type Row,
  type Work,
} from './import-claims.ts'
import { fetchFile } from './fetch-image.ts'
import { chargeImport, releaseImport } from '#/resources/storage/import-charges.ts'
import { makeImage } from './unpack-image.ts'

const kind = 'imageImport'
const importsAtOnce = 4
/** So that slow servers of one silo do not stop the imports of others. */
const ofSiloAtOnce = 2
const everyMs = 10 * 60_000
const fullMs = 60_000
/** Before the second attempt; each further one waits twice as long as the one before. */
const retryMs = 5_000
const hourMs = 3_600_000
/** An attempt may read and unpack the whole file again, so one that has waited for quota long waits longer. */
const quotaWaitMs = (ageMs: number): number => Math.min(hourMs, Math.max(fullMs, Math.floor(ageMs / 4)))

/** The loop, of a server that reaches the bytes of disks. Imports outlive its rounds. */
export function importImages(world: World, wake: (what: Waking) => void): Loop {
  const { engine, clock, imageImports: ports } = world
  const running = new Map<string, { siloId: string; work: Promise<void> }>()
  let isStopped = false

  function start(ports: ImportPorts, claim: Claim): void {
    const { id, siloId } = claim.row
    const work = importOne({ world, ports, claim, isStopped: () => isStopped }).finally(() => {
      running.delete(id)
      if (isStopped) return
      for (const loop of ['imageImports', 'layers', 'digests'] as const) wake(loop)
    })
    running.set(id, { siloId, work })
  }

  function busy() {
    const silos = [...running.values()].map(({ siloId }) => siloId)
    const has = (siloId: string) => silos.filter((one) => one === siloId).length
    return { ids: [...running.keys()], silos: silos.filter((one) => has(one) >= ofSiloAtOnce) }
  }

  return {
    name: 'imageImports',
    async round() {
      if (typeof ports !== 'object' || !canStore(world, ports)) return clock.now() + everyMs
      await tidy(world, ports)
      while (!isStopped && running.size < importsAtOnce) {
        const claim = await claimNext(world, busy())
        if (!claim) break
        start(ports, claim)
      }
      const latest = clock.now() + Math.min(world.lookMs ?? everyMs, everyMs)
      if (running.size >= importsAtOnce) return latest
      return Math.min((await engine.transaction('read', (tx) => nextDue(tx, clock.now()))) ?? latest, latest)
    },
    stop() {
      isStopped = true
      if (typeof ports !== 'object') return
      ports.downloads.stop()
      ports.unpacker.stop()
    },
    settled: async () => void (await Promise.all([...running.values()].map(({ work }) => work))),
  }
}

const canStore = ({ blobs }: World, { files }: ImportPorts): boolean =>
  (files.unreachable ?? blobs.unreachable ?? blobs.readOnly) === undefined

/** Those that are due by now are claimed, or wait for one that ends. */
async function nextDue(tx: Tx, now: number): Promise<number | null> {
  const { due } = await tx
    .selectFrom(kind)
    .select((eb) => eb.fn.min('dueAt').as('due'))
    .where('dueAt', '>', now)
    .executeTakeFirstOrThrow()
  return due
}

/** Forgets uploads without further parts, and deletes files that no import needs. */
async function tidy(world: World, { files }: ImportPorts): Promise<void> {
  const { engine, clock } = world
  // Read first: a file has its row before it has bytes.
  const stored = await files.list()
  const old = clock.now() - importLimits.uploadHours * hourMs
  const isOld = ({ url, state, timeModified }: Row) =>
    url === null && state === 'receiving' && timeModified <= old
  const rows = await engine.transaction('read', (tx) => tx.selectFrom(kind).selectAll().execute())
  const abandoned = rows.filter(isOld)
  if (abandoned.length > 0)
    await engine.transaction('write', async (tx) => {
      const ids = abandoned.map(({ id }) => id)
      // Read again: another request may have sent a part or deleted one.
      const still = await tx.selectFrom(kind).selectAll().where('id', 'in', ids).execute()
      for (const row of still.filter(isOld)) {
        await deleteRow(kind)(withoutRequest(tx), row)
        await releaseImport({ tx, now: clock.now() }, row)
      }
    })
  const needed = rows.filter((row) => row.state !== 'failed' && !isOld(row))
  const kept = new Set(needed.map(({ fileId }) => fileId))
  const unneeded = stored.filter((fileId) => !kept.has(fileId))
  // A later round does it.
  if (unneeded.length === 0 || (await isBackupUnderWay(world))) return
  for (const fileId of unneeded) await files.remove(fileId)
}

async function importOne(work: Work): Promise<void> {
  const { world, claim } = work
  const release = holdClaim(world, claim)
  try {
    if (claim.row.state === 'receiving') await fetchFile(work)
    await makeImage(work)
  } catch (error) {
    await record(work, error).catch((failure: unknown) => {
      // The claim ends, and a later round tries again.
      if (!(failure instanceof NotWanted)) logFailure(work, failure)
    })
  } finally {
    release()
  }
}

function logFailure({ world, claim }: Work, error: unknown): void {
  const stack = error instanceof Error ? error.stack : String(error)
  world.log.error({ imageImport: claim.row.id, stack }, 'image import failed')
}

/** Records why an import does not continue, or when. */
async function record(work: Work, error: unknown): Promise<void> {
  const { world, claim, isStopped } = work
  const now = world.clock.now()
  if (error instanceof NotWanted || claim.isLost || isOutage(error)) return
  if (isStopped()) return change(world, claim, { dueAt: now })
  const attempts = claim.row.attempts + 1
  const isLast = attempts >= importLimits.attempts
  if (error instanceof StorageFull && !isLast)
    return change(world, claim, {
      attempts,
      dueAt: now + fullMs,
      problem: `${noRoom}. It tries again.`,
    })
  if (error instanceof NotDownloaded && error.mayPass && !isLast)
    return change(world, claim, {
      attempts,
      dueAt: now + retryMs * 2 ** (attempts - 1),
      problem: `${error.message}. It tries again.`,
    })
  const age = now - claim.row.timeCreated
  if (waitsForQuota(error, claim.row) && age < importLimits.quotaDays * 24 * hourMs)
    return change(world, claim, async (tx) => ({
      dueAt: now + quotaWaitMs(age),
      problem: `${String(reasonOf(error))} It tries again.`,
      ...(await withoutDisk({ tx, now }, claim.row)),
    }))
  if (error instanceof BytesMissing && claim.row.url !== null)
    return change(world, claim, { ...beginning(world), dueAt: now })
  const problem = reasonOf(error)
  if (problem === undefined) logFailure(work, error)
  await change(world, claim, async (tx) => ({
    state: 'failed',
    ...(await releaseImport({ tx, now }, claim.row)),
    // Its query may be a signature that is still good.
    ...(claim.row.url === null ? {} : { url: shownAddress(claim.row.url) }),
    problem: problem ?? 'It could not be stored. The log of the server says why.',
    dueAt: null,
    layerId: null,
  }))
}

/** Whether the quota has room for it once other resources are deleted. */
const waitsForQuota = (error: unknown, { charged }: Row): boolean =>
  error instanceof Fault &&
  error.quota !== undefined &&
  (charged ?? 0) + error.quota.asked <= error.quota.limit

/** Gives back what the part of a disk was charged, and its bytes: others may wait for that. */
async function withoutDisk(ctx: Parameters<typeof chargeImport>[0], row: Row): Promise<Partial<Row>> {
  if (row.state !== 'unpacking') return {}
  const file = { file: row.received }
  const isMore = (row.charged ?? 0) > chargedFor(file)
  return { layerId: null, ...(isMore ? await chargeImport(ctx, row, file) : {}) }
}

const noRoom = 'The volume of the data folder has no room for it'

function reasonOf(error: unknown): string | undefined {
  if (error instanceof StorageFull) return noRoom
  if (error instanceof NotDownloaded || error instanceof NotUnpacked) return error.message
  if (error instanceof BytesMissing) return 'Its file is gone from the data folder. Send it again.'
  return error instanceof Fault && error.status !== 500 ? error.message : undefined
}

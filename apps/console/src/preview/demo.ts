/** The database of the preview, made by the build (tools/building/build.ts). */
import { createControlPlane } from '@purlin/core'
import { seedDemo, type DemoReleases } from '@purlin/core/seed'
import { openWasm } from '@purlin/databases/sqlite-wasm'
import { makeCertificate } from '@purlin/x509/make'
import { demoFile, openWorld } from './world.ts'

export { demoFile }

/** A database with the demo, in SQLite's file format. Its loops have not run yet: their work belongs to the page. */
export async function makeDemo(releases?: DemoReleases): Promise<Uint8Array> {
  const engine = await openWasm()
  const clock = { now: () => Date.now(), after: () => () => undefined }
  const world = openWorld({ engine, clock, readsCertificates: true })
  const plane = await createControlPlane(world)
  await plane.loops.settled()
  await seedDemo(world, { makeCertificate, ...(releases ? { releases } : {}) })
  const file = engine.serialize()
  await plane.close()
  return file
}

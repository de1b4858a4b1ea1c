/** Networks of guests that outlive the server that has made them. */
import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { markOfNetworks, openKernel, placeOf } from '../privileged/open.ts'

/** Removes the networks of a data folder from the kernel if there are any. */
export async function removeNetworks(dataDir: string): Promise<void> {
  if (!existsSync(join(dataDir, markOfNetworks))) return
  const place = await placeOf(dataDir)
  const kernel = await openKernel({ place, owner: 0, external: [], reach: [] })
  await kernel.clear()
  await rm(place.state, { recursive: true, force: true })
}

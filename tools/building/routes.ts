import { join } from 'node:path'
import { Generator, getConfig } from '@tanstack/router-generator'
import { root } from '../repo.ts'

/**
 * Writes the console's route tree, which the type check needs and the console's build also writes.
 * Both read apps/console/tsr.config.json, which names the map of addresses.
 */
export async function writeRouteTree(folder = join(root, 'apps/console')): Promise<void> {
  const config = getConfig({ disableLogging: true }, folder)
  await new Generator({ config, root: folder }).run()
}

/** The ports of image imports of a server. */
import { join } from 'node:path'
import { identityOf, type World } from '@purlin/core'
import { importLimits } from '@purlin/contract/rules/images/imports'
import { pathOfFile } from '@purlin/databases/files/in-files'
import { openStoredFiles, type FolderWorld } from '../storage/file-folder.ts'
import { createDownloads, type DownloadOptions } from './downloads.ts'
import { createUnpacker } from './unpacker.ts'

const name = 'imports'

/** Opens the folder of files that become images. Throws StartError. */
export async function openImports(
  around: FolderWorld,
  options: DownloadOptions,
): Promise<NonNullable<World['imageImports']>> {
  const files = await openStoredFiles(around, name, importLimits.file)
  const folder = join(around.folder, name, await identityOf(around.world))
  const unpacker = createUnpacker({
    pathOf: (id) => pathOfFile(folder, id),
    folder: join(folder, 'unpacked'),
    isReachable: files.unreachable === undefined,
  })
  return { files, downloads: createDownloads(options), unpacker }
}

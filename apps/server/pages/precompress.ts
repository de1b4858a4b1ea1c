/** Compressed variants of the console's files, made once after a build. */
import { readFile, readdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

const compressible = /\.(css|html|js|json|map|sqlite|svg|txt|wasm)$/
const worthIt = 1024
const encoders = {
  gz: (data: Buffer) => promisify(gzip)(data, { level: 9 }),
  br: (data: Buffer) =>
    promisify(brotliCompress)(data, {
      params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY },
    }),
}

/** Writes `.gz` and `.br` next to every text file of 1 KiB and more that has none or an older one. */
export async function precompress(dir: string): Promise<void> {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile() && compressible.test(entry.name))
  for (const { parentPath, name } of files) {
    const path = join(parentPath, name)
    const { size, mtimeMs } = await stat(path)
    if (size < worthIt) continue
    await Promise.all(
      Object.entries(encoders).map(async ([extension, encode]) => {
        const made = await stat(`${path}.${extension}`).catch(() => null)
        if (!made || made.mtimeMs < mtimeMs)
          await writeFile(`${path}.${extension}`, await encode(await readFile(path)))
      }),
    )
  }
}

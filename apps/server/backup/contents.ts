/**
 * Bytes by content: each piece of a file is stored once, in a file named for its SHA-256 (FIPS 180-4). So a backup
 * stores only pieces that no earlier one has.
 */
import { createHash, randomUUID } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { MiB } from '@purlin/contract/rules/limits'
import { systemCodeOf } from '@purlin/databases/error-codes'

/** The longest piece, bytes. */
export const pieceSize = 4 * MiB

/** A piece of a file: its digest and length, or zeros, which are not stored. */
export interface Piece {
  digest: string | undefined
  length: number
}

const isDigest = /^[0-9a-f]{64}$/
const digestOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

/** The bytes of a backup are not those that were stored. */
export class Damaged extends Error {
  override name = 'Damaged'
}

/** The pieces of a file as text, one line each. */
export const listText = (pieces: readonly Piece[]): string =>
  pieces.map(({ digest = 'zeros', length }) => `${digest} ${length}\n`).join('')

/** Reads what `listText` has written. Throws Damaged. */
export function parseList(text: string): Piece[] {
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => {
      const [digest = '', length = ''] = line.split(' ')
      const isValid = /^\d{1,15}$/.test(length) && (digest === 'zeros' || isDigest.test(digest))
      if (!isValid) throw new Damaged('a list of pieces is damaged')
      return { digest: digest === 'zeros' ? undefined : digest, length: Number(length) }
    })
}

/** Writes a new file and waits until it is on disk. */
export async function writeDurably(path: string, bytes: Uint8Array | string): Promise<void> {
  const file = await open(path, 'wx', 0o600)
  try {
    await file.writeFile(bytes)
    await file.sync()
  } finally {
    await file.close()
  }
}

/** Waits until the entries of a folder are on disk. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

export interface Contents {
  /** Stores bytes, if they are not there yet, and returns their digest. */
  put(bytes: Uint8Array): Promise<string>
  /** True if a piece is there with its whole length. */
  has(piece: Piece): Promise<boolean>
  /** Reads bytes. Throws Damaged if they are missing or others. */
  get(digest: string): Promise<Buffer>
  /** Waits until everything that was put is on disk. */
  flush(): Promise<void>
  /** Deletes everything but the given digests, and what was left half-written. Returns the number of bytes freed. */
  keepOnly(digests: ReadonlySet<string>): Promise<number>
  /** Bytes that were stored because they were new. */
  stored(): number
}

/** Opens the store in a folder, which is made if it does not exist. */
export function openContents(folder: string): Contents {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const written = new Set<string>()
  let stored = 0
  const folderOf = (digest: string) => join(folder, digest.slice(0, 2))
  const pathOf = (digest: string) => join(folderOf(digest), digest)
  const lengthOf = async (digest: string): Promise<number | undefined> => {
    const found = await stat(pathOf(digest)).catch((error: unknown) => {
      if (systemCodeOf(error) !== 'ENOENT') throw error
    })
    return found?.size
  }

  return {
    stored: () => stored,
    async put(bytes) {
      const digest = digestOf(bytes)
      if ((await lengthOf(digest)) === bytes.length) return digest
      await mkdir(folderOf(digest), { recursive: true, mode: 0o700 })
      const draft = `${pathOf(digest)}.${randomUUID()}`
      try {
        await writeDurably(draft, bytes)
        await rename(draft, pathOf(digest))
      } catch (error) {
        await rm(draft, { force: true })
        throw error
      }
      written.add(folderOf(digest))
      stored += bytes.length
      return digest
    },
    async has({ digest, length }) {
      return digest === undefined || (await lengthOf(digest)) === length
    },
    async get(digest) {
      const bytes = await readFile(pathOf(digest)).catch((error: unknown) => {
        if (systemCodeOf(error) !== 'ENOENT') throw error
      })
      if (!bytes) throw new Damaged(`the piece ${digest} is missing`)
      if (digestOf(bytes) !== digest) throw new Damaged(`the piece ${digest} is damaged`)
      return bytes
    },
    async flush() {
      for (const one of written) await syncFolder(one)
      await syncFolder(folder)
      written.clear()
    },
    async keepOnly(digests) {
      let freed = 0
      for (const part of await readdir(folder))
        for (const name of await readdir(join(folder, part))) {
          if (digests.has(name)) continue
          const path = join(folder, part, name)
          freed += (await stat(path)).size
          await rm(path)
        }
      return freed
    },
  }
}

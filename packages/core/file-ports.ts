/** Ports for files in the data folder, and for zip files. */

/** Zip files, such as those of system updates. Each is written from its start to its end, and only read after that. */
export interface StoredFiles {
  /** Why they cannot be used from here, for people; then no method may be called. */
  readonly unreachable?: string
  /** The longest file that fits, in bytes. */
  readonly most: number
  /** Writes at an offset, which is at most the file's length. Throws StorageFull. */
  write(id: string, offset: number, bytes: Uint8Array): Promise<void>
  /** Returns when everything written so far outlives a loss of power. Throws StorageFull. */
  flush(id: string): Promise<void>
  /** At most `length` bytes: fewer at the end of the file. Throws BytesMissing if there is no file. */
  read(id: string, offset: number, length: number): Promise<Uint8Array<ArrayBuffer>>
  /** Deletes a file. One that does not exist is already gone. */
  remove(id: string): Promise<void>
  /** Every file that takes room here. */
  list(): Promise<string[]>
  /** Bytes that the volume has room for. */
  free(): Promise<number>
}

/** A file that is read at random. */
export interface RandomAccess {
  /** bytes */
  size: number
  read(offset: number, length: number): Promise<Uint8Array<ArrayBuffer>>
}

/** A file whose bytes are made while they are read, once. */
export interface MadeFile {
  /** For example `server/log.txt`. */
  path: string
  content: AsyncIterable<Uint8Array>
}

/** A file in a zip. */
export interface ZippedFile {
  /** bytes, as the zip says */
  size: number
  /** Its bytes in pieces. Throws for data that cannot be unpacked. */
  content(): AsyncIterable<Uint8Array>
}

/** Makes and reads zip files, in bounded memory. */
export interface Zips {
  /** The bytes of a zip with these files, one after another. `now` is their time, ms since 1970. */
  pack(files: AsyncIterable<MadeFile>, now: number): AsyncIterable<Uint8Array>
  /** Its files by path. Throws for a zip that cannot be read. */
  open(zip: RandomAccess): Promise<ReadonlyMap<string, ZippedFile>>
}

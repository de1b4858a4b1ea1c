/** The ports of image imports: files that are fetched from other servers, and unpacked. */
import type { ImageFormat } from '@purlin/contract/rules/images/formats'

/** The rest of a file that was fetched in part. */
export interface DownloadFrom {
  offset: number
  /** From the answer of before. */
  validator: string
}

/** The answer of a server that sends a file. */
export interface Download {
  /** The place of the first byte in the file: that of the request, or 0 if the file is another one now. */
  offset: number
  /** Bytes of the whole file; null if the server does not say. */
  size: number | null
  /** The server recognises the same file by it; null without. */
  validator: string | null
  /** The bytes, once, in pieces. Throws NotDownloaded if the connection breaks. */
  bytes: AsyncIterable<Uint8Array>
}

/** A file that could not be fetched. The message is the reason, for people. */
export class NotDownloaded extends Error {
  override name = 'NotDownloaded'
  /** True if a later attempt may succeed. */
  readonly mayPass: boolean
  constructor(message: string, how: { mayPass: boolean; cause?: unknown }) {
    super(message, { cause: how.cause })
    this.mayPass = how.mayPass
  }
}

/**
 * Requests files from addresses that users name. It follows redirects, and refuses addresses that are not for users once
 * the name is resolved, those of redirects too. A server that sends nothing for 30 s has failed.
 */
export interface Downloads {
  /** Throws NotDownloaded. */
  open(url: string, from?: DownloadFrom): Promise<Download>
  /** Ends every download. */
  stop(): void
}

/** A file that cannot be unpacked. The message is the reason, for people. */
export class NotUnpacked extends Error {
  override name = 'NotUnpacked'
}

/** A form whose bytes are not those of the disk. */
export type PackedFormat = Exclude<ImageFormat, 'raw' | 'iso'>

/** Reads the disk out of a file. */
export interface ImageUnpacker {
  /** The bytes of the disk in order, in pieces. It fails once `lost` resolves. Throws NotUnpacked, StorageFull. */
  unpack(fileId: string, format: PackedFormat, lost?: Promise<void>): AsyncIterable<Uint8Array>
  /** Ends all work. */
  stop(): void
}

/** Rules of image imports, for the server and its clients. */
import { GiB, MiB } from '../limits.ts'

/** Its bytes arrive, then they are unpacked and stored, and it becomes an image; or it has failed. */
export const imageImportStates = ['receiving', 'unpacking', 'failed'] as const
export type ImageImportState = (typeof imageImportStates)[number]

/**
 * In bytes: a file, a part of one that is uploaded, and what a server that is fetched from sends at least in a minute.
 * Characters of an address, hours for which an upload without further parts is kept, attempts without progress,
 * imports of a project that have not ended, and days from its beginning for which one waits for quota.
 */
export const importLimits = {
  file: 128 * GiB,
  part: 8 * MiB,
  url: 2048,
  uploadHours: 24,
  attempts: 8,
  perMinute: MiB,
  unfinished: 10,
  quotaDays: 7,
} as const

/**
 * The storage that an import is charged while it is under way, in bytes: its file, and the disk in it once that is known;
 * each in whole GiB, as disks have.
 */
export const chargedFor = ({ file, disk = 0 }: { file: number; disk?: number | undefined }): number =>
  wholeGiB(file) + wholeGiB(disk)

const wholeGiB = (bytes: number): number => Math.ceil(bytes / GiB) * GiB

export const sha256Pattern = '^[0-9a-fA-F]{64}$'

const address = /^https?:\/\/[^\s/?#@\\]+(?:[/?#][!-~]*)?$/i

/** Why images cannot be fetched from a text, or undefined. A password in it would be shown to others. */
export function imageAddressProblem(text: string): string | undefined {
  if (text.length > importLimits.url) return `an address has at most ${importLimits.url} characters`
  if (/^https?:\/\/[^/?#]*@/i.test(text)) return 'an address must not contain a user name or password'
  return address.test(text) ? undefined : 'an address begins with https:// or http://'
}

/** An address without its query, which may hold a signature that is a secret. */
export const shownAddress = (url: string): string => url.replace(/[?#].*$/, '')

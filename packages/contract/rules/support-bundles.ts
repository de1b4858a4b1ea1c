/** Rules of support bundles, for the server and its clients. */
import { GiB, KiB, MiB } from './limits.ts'

/** One is collected, then it can be downloaded or has failed; one that is deleted is there until its room is free. */
export const supportBundleStates = ['collecting', 'active', 'failed', 'destroying'] as const
export type SupportBundleState = (typeof supportBundleStates)[number]

/**
 * In bytes: a comment, each file of a bundle, all of them together, the zip file. Then the most files, characters of the
 * path of one, and rows of a table that are listed.
 */
export const bundleLimits = {
  comment: 4 * KiB,
  file: 2 * GiB,
  content: 3 * GiB,
  zip: 4 * GiB,
  files: 1000,
  path: 255,
  listed: 2000,
  /** The newest lines of the log of a server, in bytes. */
  log: 4 * MiB,
} as const

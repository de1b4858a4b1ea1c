/** Problems at start, in words for the operator, who can solve them. */
import { messageOf, systemCodeOf } from '@purlin/databases/error-codes'
import { DatabaseUnavailable, StorageFull } from '@purlin/core/ports'

/** A problem at start that the operator can solve; the message says how. */
export class StartError extends Error {
  override name = 'StartError'
}

const words: Record<string, string> = {
  EACCES: 'this user may not read and write it',
  EPERM: 'this user may not read and write it',
  EROFS: 'it is on a read-only volume',
  EEXIST: 'it is a file',
  ENOTDIR: 'a folder above it is a file',
  EISDIR: 'it is a folder, not a file',
  ENOSPC: 'its volume is full',
  EDQUOT: 'the quota of this user on its volume is used up',
  EIO: 'its volume cannot be read or written',
  ELOOP: 'its links lead nowhere',
  ENAMETOOLONG: 'its name is too long',
}

/** Why a file or folder cannot be used, as the rest of a sentence about it. */
function reasonOf(error: unknown): string {
  return words[systemCodeOf(error) ?? ''] ?? messageOf(error)
}

/** The problems with the files of a server, each as one sentence. */
export const startError = {
  folder: (folder: string, error: unknown) =>
    new StartError(`The data folder ${folder} cannot be used: ${reasonOf(error)}.`, { cause: error }),
  database: (name: string, error: unknown) =>
    new StartError(`The database ${name} cannot be used: ${reasonOf(error)}.`, { cause: error }),
  passwordFile: (path: string, error: unknown) =>
    new StartError(`The file ${path} of --smtp-password-file cannot be read: ${reasonOf(error)}.`, {
      cause: error,
    }),
  lock: (path: string, error: unknown) =>
    new StartError(`The file ${path}, which keeps other servers away, cannot be used: ${reasonOf(error)}.`, {
      cause: error,
    }),
  full: (folder: string, error: unknown) =>
    new StartError(
      `The volume of the data folder ${folder} is full, and this start has something to write. Free some room on it.`,
      { cause: error },
    ),
}

/** The error of a start that could not read or write its database, in words; any other as it is. */
export function inWords(error: unknown, at: { database: string; folder: string }): unknown {
  if (error instanceof StorageFull) return startError.full(at.folder, error)
  if (error instanceof DatabaseUnavailable) return startError.database(at.database, error)
  return error
}

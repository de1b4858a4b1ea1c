/** The code of an error of Node or the operating system, such as `ENOENT`; undefined for any other. */
export const systemCodeOf = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined

/** The message of anything that was thrown. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

const fullCodes = new Set(['ENOSPC', 'EDQUOT', 'EFBIG'])
/** True if there is no room for more bytes. */
export const isFullError = (error: unknown): boolean => fullCodes.has(systemCodeOf(error) ?? '')

/** The extended result code of an error of node:sqlite; 0 for any other. */
export const sqliteCodeOf = (error: unknown): number =>
  error instanceof Error && 'errcode' in error && typeof error.errcode === 'number' ? error.errcode : 0

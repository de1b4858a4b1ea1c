/** Failures of commands, and the exit code of each kind. */
import { CommanderError } from 'commander'
import { FlagError } from '@purlin/contract/commands/values'
import { errorBody } from '@purlin/contract/client'
import { printable } from '@purlin/contract/commands/printable'

/** The exit codes, with their meaning for the help text. */
export const exitCodes = {
  failed: [1, 'another failure'],
  usage: [2, 'the command, a flag or a file is wrong'],
  signIn: [3, 'you are not signed in'],
  forbidden: [4, 'you have no permission'],
  notFound: [5, 'a resource does not exist'],
  conflict: [6, 'a resource exists already, or has changed'],
  refused: [7, 'the server refuses the request'],
  unreachable: [8, 'the server cannot be reached'],
  server: [9, 'the server cannot answer now'],
  timeout: [10, 'a state was not reached in time'],
  differs: [11, 'a plan has changes'],
  interrupted: [130, 'interrupted'],
} as const satisfies Record<string, readonly [number, string]>
export type FailureKind = keyof typeof exitCodes

/** A command that failed, with words for the user. */
export class CliError extends Error {
  override name = 'CliError'
  readonly kind: FailureKind
  constructor(kind: FailureKind, message: string) {
    super(message)
    this.kind = kind
  }
}

const byStatus: Readonly<Record<number, FailureKind>> = {
  401: 'signIn',
  403: 'forbidden',
  404: 'notFound',
  409: 'conflict',
  412: 'conflict',
  429: 'server',
}

/** The failure that an answer of the server means. */
export function failureOf(status: number, text: string): CliError {
  const { message, code, requestId } = errorBody(text)
  const kind =
    code === 'ObjectAlreadyExists' ? 'conflict' : (byStatus[status] ?? (status >= 500 ? 'server' : 'refused'))
  const advice = kind === 'signIn' ? ' Run purlin login.' : ''
  const id = status >= 500 && requestId !== undefined ? ` (request ${requestId})` : ''
  return new CliError(kind, `${message || `The server answered ${status}`}${id}.${advice}`.replace('..', '.'))
}

/** A failure for the user: exit code and text. Bugs are shown as they are. */
export function reported(error: unknown): { code: number; text: string } {
  if (error instanceof CommanderError)
    return { code: error.exitCode === 0 ? 0 : exitCodes.usage[0], text: '' }
  const kind = kindOf(error)
  const message = error instanceof Error ? error.message : String(error)
  return { code: exitCodes[kind][0], text: `Error: ${printable(message)}` }
}

const unreachable =
  /^(ECONN|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|EPIPE|CERT_|DEPTH_|SELF_SIGNED|UNABLE_TO|ERR_TLS)/
const ofFiles = /^(ENOENT|EACCES|EISDIR|ENOTDIR|EPERM|ENOSPC)$/

function kindOf(error: unknown): FailureKind {
  if (error instanceof CliError) return error.kind
  if (error instanceof FlagError) return 'usage'
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (error instanceof Error && error.name === 'AbortError') return 'interrupted'
  if (unreachable.test(code)) return 'unreachable'
  return ofFiles.test(code) ? 'usage' : 'failed'
}

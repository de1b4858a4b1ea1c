/** Calls operations of a server, with arguments and answers as they are on the wire. */
import { requestOf, type WireArgs } from '@purlin/contract/commands/request'
import { operations, type OperationName } from '@purlin/contract/operations'
import { CliError } from '../errors.ts'
import type { Io } from '../io.ts'
import { parseJson } from '../output/json.ts'
import { sendForText, type Server } from './send.ts'

export type Row = Readonly<Record<string, unknown>>

export interface Api {
  /** Calls an operation. Throws CliError for an answer that is no success. */
  call: (name: OperationName, args?: WireArgs) => Promise<Row>
  /** Sends bytes with an operation. */
  sendBytes: (name: OperationName, args: WireArgs, bytes: Uint8Array) => Promise<void>
  /** The same as a call; undefined if the resource does not exist. */
  find: (name: OperationName, args: WireArgs) => Promise<Row | undefined>
  /** The rows of all pages of a list. */
  all: (name: OperationName, args?: WireArgs) => Promise<Row[]>
  /** Waits a second before a state is read again. */
  pause: () => Promise<void>
}

const pageSize = 1000

/** The operations of a server. */
export function apiOf(io: Io, server: Server): Api {
  const ask = (name: OperationName, args: WireArgs, body?: Uint8Array) => {
    const request = requestOf(operations[name], args)
    return sendForText(server, body ? { ...request, body } : request, io.signal)
  }
  const call: Api['call'] = async (name, args = {}) => {
    const text = await ask(name, args)
    return text === '' ? {} : (parseJson(text) as Row)
  }
  return {
    call,
    pause: () => io.sleep(1000),
    sendBytes: async (name, args, bytes) => void (await ask(name, args, bytes)),
    async find(name, args) {
      try {
        return await call(name, args)
      } catch (error) {
        if (error instanceof CliError && error.kind === 'notFound') return undefined
        throw error
      }
    },
    async all(name, args = {}) {
      const rows: Row[] = []
      let token: unknown
      do {
        const query = { limit: pageSize, ...args.query, ...(token ? { page_token: token } : {}) }
        const page = await call(name, { ...args, query })
        rows.push(...(page['items'] as Row[]))
        token = page['next_page']
      } while (token)
      return rows
    },
  }
}

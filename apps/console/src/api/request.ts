/** Requests as values: what a form shows as a command before it sends the same. */
import type { Names } from '@purlin/contract/commands/documents'
import type { Args, OpShape, Result } from '@purlin/contract/op'
import { send } from './send.ts'

/** An operation with its arguments. */
export interface ApiRequest<O extends OpShape = OpShape> {
  op: O
  args: Args<O>
  /** The names of its resource and of those around it, for documents, where it has ids. */
  names?: Names
  /** The body without the values that stay, for documents, if the request must send them too. */
  changes?: object
  /** Further words about it where it is shown. */
  note?: string
}

/** Many requests that one command of the command line makes, by its words. `note` says which. */
export interface Procedure {
  words: readonly string[]
  note: string
}

/** A part of a submit as it is shown. */
export type ShownRequest = ApiRequest | Procedure

/** The requests of one submit, in their order. */
export type Requests = ShownRequest | readonly ShownRequest[]

/** The request of an operation. */
export const requestTo = <O extends OpShape>(op: O, args: Args<O>): ApiRequest<O> => ({ op, args })

/** Sends it, as `send` does. */
export const sendRequest = <O extends OpShape>({ op, args }: ApiRequest<O>): Promise<Result<O>> =>
  send(op, args)

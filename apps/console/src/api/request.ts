/** Requests as values: what a form shows as a command before it sends the same. */
import type { Args, OpShape, Result } from '@purlin/contract/op'
import { send } from './send.ts'

/** An operation with its arguments. */
export interface ApiRequest<O extends OpShape = OpShape> {
  op: O
  args: Args<O>
}

/** The request of an operation. */
export const requestTo = <O extends OpShape>(op: O, args: Args<O>): ApiRequest<O> => ({ op, args })

/** Sends it, as `send` does. */
export const sendRequest = <O extends OpShape>({ op, args }: ApiRequest<O>): Promise<Result<O>> =>
  send(op, args)

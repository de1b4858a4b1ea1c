/** Changing a part of something whose operation replaces all of it, without undoing what others do meanwhile. */
import { ApiError, call, callTagged } from '@purlin/contract/client'
import type { Args, OpShape, Result } from '@purlin/contract/op'
import { nameOf, told } from './send.ts'
import { link } from './transport.ts'

// Others would have to write between each of our reads and writes.
const attempts = 5

/** How something is read, and how all of it is replaced, both by the same arguments. */
export interface Rewrite<V extends OpShape, U extends OpShape> {
  view: V
  update: U
  args: Args<V> & Omit<Args<U>, 'body'>
}

/**
 * Reads something, makes the change of what was read, and writes it if it still is as it was read; if not, it
 * begins anew. Throws ApiError, and what `change` throws.
 */
export async function rewrite<V extends OpShape, U extends OpShape>(
  { view, update, args }: Rewrite<V, U>,
  change: (now: Result<V>) => Args<U> extends { body: infer B } ? B : never,
): Promise<Result<U>> {
  const { send } = link()
  for (let left = attempts; ; left--) {
    const { value, tag } = await told(view, callTagged(send, { name: nameOf(view), op: view, args }))
    const whole = { ...args, body: change(value) } as unknown as Args<U>
    const written = call(send, { name: nameOf(update), op: update, args: whole, ifMatch: tag })
    if (left === 1) return told(update, written)
    const result = await told(update, written.catch(asOutdated))
    if (result !== outdated) return result
  }
}

const outdated = Symbol('outdated')
function asOutdated(error: unknown): typeof outdated {
  if (error instanceof ApiError && error.status === 412) return outdated
  throw error
}

/** Changes part of a resource whose update replaces all of it, without overwriting concurrent changes. */
import { keysOf } from '@purlin/contract/rules/keys'
import { ApiError, call, callTagged } from '@purlin/contract/client'
import type { Args, OpShape, Result } from '@purlin/contract/op'
import { nameOf, reportFailures, argsFor } from './send.ts'
import { transport } from './transport.ts'

// Each further attempt means that another client wrote between our read and our write.
const attempts = 5

/** The operations that read and replace the resource, with the same arguments. */
export interface Rewrite<V extends OpShape, U extends OpShape> {
  view: V
  update: U
  args: Args<V> & Omit<Args<U>, 'body'>
}

/**
 * Reads the resource, applies `change` and writes the result if the resource has not changed since; otherwise
 * starts again. Throws ApiError, and what `change` throws.
 */
export async function rewrite<V extends OpShape, U extends OpShape>(
  { view, update, args }: Rewrite<V, U>,
  change: (now: Result<V>) => Args<U> extends { body: infer B } ? B : never,
): Promise<Result<U>> {
  const { send } = transport()
  for (let attempt = 1; ; attempt++) {
    const { value, tag } = await reportFailures(
      view,
      callTagged(send, { name: nameOf(view), op: view, args }),
    )
    const whole = argsFor(update, { ...args, body: change(value) })
    const written = call(send, { name: nameOf(update), op: update, args: whole, ifMatch: tag })
    if (attempt === attempts) return reportFailures(update, written)
    const result = await reportFailures(update, written.catch(asOutdated))
    if (result !== outdated) return result
  }
}

const outdated = Symbol('outdated')
function asOutdated(error: unknown): typeof outdated {
  if (error instanceof ApiError && error.status === 412) return outdated
  throw error
}

/** A record as it was seen, as it is wanted, and as it is stored now. */
export interface Versions<T extends object> {
  seen: T
  wanted: T
  now: T
}

export const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

/**
 * The stored record with the fields that the user has changed, and the names of those that another user has changed
 * since.
 */
export function mergeFields<T extends object>({ seen, wanted, now }: Versions<T>) {
  const changed = keysOf(wanted).filter((key) => !isSame(wanted[key], seen[key]))
  const merged: T = { ...now }
  for (const key of changed) merged[key] = wanted[key]
  const clashes = changed.filter((key) => !isSame(now[key], seen[key]) && !isSame(now[key], wanted[key]))
  return { merged, clashes }
}

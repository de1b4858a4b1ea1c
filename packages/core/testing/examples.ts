/** Requests of tests as examples for people: ids are the same in every run, and long texts are cut. */
import type { RawRequest } from './world.ts'

/** A request to an operation, and the status of its answer. */
export interface Example {
  method: string
  url: string
  body?: unknown
  status: number
  /** The answer to the same request of a caller who may not do it: the role, the status and the body. */
  refusal?: string
}

/** The text of an answer that refuses a role; undefined for any other answer. */
export const refusalOf = (
  role: string,
  { status, text }: { status: number; text: string },
): string | undefined =>
  [401, 403, 404].includes(status)
    ? `${role}: ${status} ${text.replaceAll(uuid, '6e9d1a52-0000-4000-8000-000000000000')}`.trim()
    : undefined

const uuid = /[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/g
const longest = 80
const kept = 24

/** The example that a request is. */
export function exampleOf({ method = 'GET', url, body }: RawRequest, status: number): Example {
  const known = new Map<string, string>()
  const masked = (text: string) =>
    text.replaceAll(uuid, (id) => {
      const made = known.get(id) ?? `6e9d1a52-0000-4000-8000-${String(known.size + 1).padStart(12, '0')}`
      known.set(id, made)
      return made
    })
  const shown = typeof body === 'string' && body !== '' ? bodyOf(masked(body)) : undefined
  return { method, url: masked(url), ...(shown === undefined ? {} : { body: shown }), status }
}

function bodyOf(text: string): unknown {
  try {
    return JSON.parse(text, (_, value: unknown) => (typeof value === 'string' ? shortened(value) : value))
  } catch {
    return shortened(text)
  }
}

// Texts that are long are keys, certificates and answers of providers, which differ in each run.
const shortened = (text: string) => (text.length > longest ? `${text.slice(0, kept)}…` : text)

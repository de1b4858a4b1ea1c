/** The cache of answers to reads: one for the process, bounded in bytes, least recently used out first. */
import type { ApiResponse } from '@purlin/contract/http'
import { MiB } from '@purlin/contract/rules/limits'
import { memoizeByObject } from '#/concurrency/memoize.ts'
import type { Actor } from '#/context.ts'
import { sessionTables } from '#/auth/actors.ts'
import type { Engine } from '#/db/engine.ts'
import type { Incoming } from './request.ts'

interface Entry {
  actor: Actor
  response: ApiResponse
  fresh: () => boolean
  bytes: number
}

export interface ReplyCache {
  /** An earlier answer to the same actor that is still current. */
  get(actor: Actor, incoming: Incoming): ApiResponse | undefined
  set(actor: Actor, incoming: Incoming, answer: Pick<Entry, 'response' | 'fresh'>): void
  /** Drops all answers if a session has ended or what sessions are made of has changed since the last call. */
  dropStaleSessions(): void
  /** What the entries cost, with their keys. */
  readonly bytes: number
}

const defaultBytes = 64 * MiB
const longestReply = 256 * 1024
// Of the objects of an entry: the test of this file measures that it is enough.
const bytesPerEntry = 2048

export function createReplyCache({ changes }: Pick<Engine, 'changes'>, maxBytes = defaultBytes): ReplyCache {
  const entries = new Map<string, Entry>()
  let bytes = 0
  let seen = 0

  function remove(key: string, entry: Entry): void {
    entries.delete(key)
    bytes -= entry.bytes
  }

  // All actors are read anew after such a change, so what belongs to the ones before is never asked for again.
  function dropStaleSessions(): void {
    const version = sessionTables.reduce((sum, table) => sum + (changes?.version(table) ?? 0), 0)
    if (version === seen) return
    seen = version
    entries.clear()
    bytes = 0
  }

  return {
    get(actor, incoming) {
      dropStaleSessions()
      const key = keyOf(actor, incoming)
      const entry = entries.get(key)
      if (!entry) return undefined
      if (entry.actor !== actor || !entry.fresh()) {
        remove(key, entry)
        return undefined
      }
      entries.delete(key)
      entries.set(key, entry)
      return entry.response
    },
    set(actor, incoming, { response, fresh }) {
      dropStaleSessions()
      const key = keyOf(actor, incoming)
      const before = entries.get(key)
      if (before) remove(key, before)
      const own = bytesOf(key) + bytesOf(response.body ?? '') + bytesPerEntry
      if (own > Math.min(longestReply, maxBytes)) return
      for (const [oldest, entry] of entries) {
        if (bytes + own <= maxBytes) break
        remove(oldest, entry)
      }
      entries.set(key, { actor, response, fresh, bytes: own })
      bytes += own
    },
    dropStaleSessions,
    get bytes() {
      return bytes
    },
  }
}

/** Addresses that are parsed to the same input are the same question, however they are written. */
const questionOf = memoizeByObject((input: Incoming['input']) => JSON.stringify([input.params, input.query]))

const keyOf = ({ sessionId }: Actor, { match, input }: Incoming): string =>
  `${sessionId} ${match.name} ${questionOf(input)}`

// Engines store a text in one byte per character as long as all of it is Latin-1.
const bytesOf = (text: string): number => text.length * (/[\u0100-\uffff]/.test(text) ? 2 : 1)

import type { NeighborInfo } from '@purlin/core/ports'

/** A router announces itself this often, and is forgotten after four times as long. */
const everyMs = 30_000
const keptMs = 4 * everyMs

/** The neighbor of a link, as known by LLDP (IEEE 802.1AB). */
export class Neighbor {
  #firstSeen: number | null = null
  /** Since when it has been silent. */
  #silentSince: number | null = null

  /** Whether the neighbor is heard from now on. A link that goes down, or no longer listens, forgets it at once. */
  listen({ isListening, speaks }: { isListening: boolean; speaks: boolean }, now: number): void {
    this.#forgetOld(now)
    if (!isListening) this.#firstSeen = null
    else if (speaks) {
      this.#firstSeen ??= now
      this.#silentSince = null
    } else if (this.#firstSeen !== null) this.#silentSince ??= now
  }

  /** When it was seen; null if it is not known. */
  seen(now: number): Pick<NeighborInfo, 'firstSeen' | 'lastSeen'> | null {
    this.#forgetOld(now)
    if (this.#firstSeen === null) return null
    return { firstSeen: this.#firstSeen, lastSeen: this.#lastSeen(this.#firstSeen, now) }
  }

  #lastSeen(firstSeen: number, now: number): number {
    const until = this.#silentSince ?? now
    return firstSeen + Math.floor((until - firstSeen) / everyMs) * everyMs
  }

  #forgetOld(now: number): void {
    if (this.#firstSeen === null || this.#silentSince === null) return
    if (now >= this.#lastSeen(this.#firstSeen, now) + keptMs) this.#firstSeen = null
  }
}

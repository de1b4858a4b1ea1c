/** A port: records the work of loops in traces. */

/** Records the work of loops in traces. */
export interface Tracer {
  /** Runs a round of a loop, and records it if it writes or fails. Returns and throws what the round does. */
  round<T>(loop: string, work: () => Promise<T>): Promise<T>
}

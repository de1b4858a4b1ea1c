/**
 * Values that are stored as the JSON of responses: a large answer contains them as they are, without parsing or
 * encoding.
 */

/** The JSON of a value in the names of the wire. */
export class StoredJson {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

/** Replaces the value in the answer of an operation that `isLarge`; only its encoder can read it. */
export const storedJson = <T>(text: string): T => new StoredJson(text) as unknown as T

/** Values that are stored as the JSON that clients get: a large answer holds them as they are, neither read nor written anew. */

/** The JSON of a value in the names of the wire. */
export class StoredJson {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

/** Stands for the value in the answer of an operation that `isLarge`; nothing else can read it. */
export const storedJson = <T>(text: string): T => new StoredJson(text) as unknown as T

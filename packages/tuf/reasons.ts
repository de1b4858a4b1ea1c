/** The reasons of the libraries that read repositories, in words for people. */

type Words = readonly [pattern: RegExp, reason: string]

/** Of a document of metadata, as what is said about it: `$1` is the first group of the pattern. */
const ofMetadata: readonly Words[] = [
  [
    /^(\w+) was signed by (\d+)\/(\d+) keys$/,
    'has valid signatures of $2 of the $3 keys that must sign it: it was changed, or another publisher has signed it',
  ],
  [/ is expired$/, 'has expired: ask the publisher for a newer one'],
  [
    /^New timestamp version (\d+) is less than current version (\d+)$/,
    'has version $1, and version $2 is known',
  ],
  [
    /^New snapshot version (\d+) is less than current version (\d+)$/,
    'lists version $1 of snapshot.json, and version $2 is known',
  ],
  [
    /^New version (\d+) of (\S+) is less than current version (\d+)$/,
    'lists version $1 of $2, and version $3 is known',
  ],
  [/^Missing file (\S+) in new snapshot$/, 'does not list $1, which is known'],
  [/^Snapshot version doesn't match timestamp$/, 'has another version than timestamp.json lists'],
  [/^Missing (\S+) in snapshot$/, 'is not listed in snapshot.json'],
  [
    /^Version (\d+) of \S+ does not match snapshot version (\d+)$/,
    'has version $1, and snapshot.json lists version $2',
  ],
  [/^Expected version (\d+), got (\d+)$/, 'has version $2 instead of $1'],
  [/^Expected length (\d+) but got (\d+)$/, 'has $2 bytes, and the metadata lists $1'],
  [/^Expected hash (\w+) but got (\w+)$/, 'has the hash $2, and the metadata lists $1'],
  [/^Hash algorithm (\S+) not supported$/, 'is listed with a $1 hash, which is not supported'],
  [/^[Ee]xpected '(\w+)', got (\S+)$/, 'is a document of the kind $2 instead of $1'],
  [/^no delegation found for (\S+)$/, 'names no keys for $1'],
  [/^Unsupported specVersion$/, 'is of a version of The Update Framework that is not supported'],
  [/^(\w+) is not defined$/, 'has no field $1'],
  [/^(\w+) must be an? (.+)$/, 'has a field $1 that is not a $2'],
]

/** Of a zip file or a file in it. */
const ofZip: readonly Words[] = [
  [
    /^(File format is not recognized|End of central directory not found)$/,
    'cannot be read: it is not a zip file, or its end is missing',
  ],
  [/^(Central directory header|Local file header) not found$/, 'is damaged'],
  [/^(Entry data out of bounds|Overlapping entry found|Ambiguous archive)$/, 'is damaged'],
  [/^Unsafe filename$/, 'has a file whose name leads out of its folder'],
  [/[Ee]ncrypt/, 'is encrypted, which is not supported'],
  [/^Split zip file$/, 'is one part of several'],
  [/[Cc]ompression method/, 'is compressed in a way that is not supported'],
]

const inWords = (words: readonly Words[], message: string): string | undefined => {
  const known = words.find(([pattern]) => pattern.test(message))
  if (!known) return undefined
  const [pattern, reason] = known
  const groups = pattern.exec(message) ?? []
  return reason.replaceAll(/\$(\d)/g, (_, group: string) => groups[Number(group)] ?? '')
}

/** The reason why a document of metadata is refused. */
export function metadataReason(subject: string, error: unknown): string {
  if (error instanceof SyntaxError) return `${subject} is not valid JSON`
  const message = error instanceof Error ? error.message : ''
  // The root is checked only when the next document is read.
  const of = message === 'Final root.json is expired' ? 'its last root document' : subject
  return `${of} ${inWords(ofMetadata, message) ?? 'is not a document of The Update Framework'}`
}

/** The reason why a zip file or a file in it cannot be read. */
export const zipReason = (subject: string, { message }: Error): string =>
  `${subject} ${inWords(ofZip, message) ?? `cannot be read: ${message}`}`

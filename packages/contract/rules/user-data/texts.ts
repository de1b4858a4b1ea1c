/** The characters and lines of user data. */

/** The bytes that a text has in UTF-8. */
export const bytesOf = (text: string): number =>
  text
    .replaceAll(/[\ud800-\udbff][\udc00-\udfff]/g, '....')
    .replaceAll(/[\u0800-\uffff]/g, '...')
    .replaceAll(/[\u0080-\u07ff]/g, '..').length

// Cloud-init refuses controls; some of these are line breaks to YAML 1.1.
const unprintable = /[^\P{Cc}\n\t]|[\p{Cs}\u2028\u2029\ufeff\ufffe\uffff]/u

/** Whether a text has a character that YAML can only have as an escape. */
export const isUnprintable = (text: string): boolean => unprintable.test(text)

/** The SSH keys in a value: one in each line. */
export const keysIn = (value: string): string[] =>
  value
    .split('\n')
    .map((key) => key.trim())
    .filter(Boolean)

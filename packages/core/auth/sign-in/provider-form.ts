/** Forms that identity providers send, or have browsers send. */
import { utf8 } from '#/bytes.ts'
import { fault } from '#/faults.ts'
import { parseSearch } from '#/query-string.ts'

/** The fields with these names, each of which may be missing. Throws 400 for what is no form, and for a repeated field. */
export function fieldsIn<const N extends string>(
  body: Uint8Array,
  names: readonly N[],
): Partial<Record<N, string>> {
  const search = parseSearch(textOf(body), fault.badForm)
  const fields: Partial<Record<N, string>> = {}
  for (const name of names) {
    const [value, another] = search.getAll(name)
    if (another !== undefined) throw fault.badForm('duplicate field')
    if (value !== undefined) fields[name] = value
  }
  return fields
}

function textOf(body: Uint8Array): string {
  try {
    return utf8(body)
  } catch {
    throw fault.badForm('invalid UTF-8')
  }
}

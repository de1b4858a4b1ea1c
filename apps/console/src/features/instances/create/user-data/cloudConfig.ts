/** Checks settings of cloud-init. It brings the parser of YAML, so it is loaded when there is something to check. */
import { isMap, parseDocument } from 'yaml'

/** The first mistake in the YAML of a text, with its line; undefined without one. */
export function cloudConfigProblem(text: string): string | undefined {
  // The guest reads YAML 1.1, and takes the last of several equal keys.
  const { errors, contents } = parseDocument(text, { version: '1.1', uniqueKeys: false })
  const [error] = errors
  if (error) return `Line ${error.linePos?.[0].line ?? 1}: ${error.message.replace(/ at line \d+[^]*$/, '')}`
  if (contents !== null && !isMap(contents))
    return 'Line 2: Must have settings by name, such as packages: [nginx]'
  return undefined
}

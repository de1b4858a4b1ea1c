/** User data that cloud-init reads as YAML. This brings the parser, so clients load it when there is something to check. */
import { isMap, parseDocument, type Document } from 'yaml'

const isConfig = /^#cloud-config(?![\w-])/
// An archive is a list of parts.
const isInYaml = /^#cloud-config(?:-archive)?(?![\w-])/

/** Whether cloud-init reads the text as YAML. */
export const isYaml = (text: string): boolean => isInYaml.test(text)

/** A document without a mistake; otherwise the first one, with its line. */
export type Parsed = { document: Document.Parsed } | { problem: string }

/** Parses a text in YAML. */
export function parseCloudConfig(text: string): Parsed {
  if (depthOf(text) > deepest) return { problem: `more than ${deepest} brackets are open at once` }
  // The guest reads YAML 1.1, and takes the last of several equal keys.
  const document = parseDocument(text, { version: '1.1', uniqueKeys: false })
  const [error] = document.errors
  if (error)
    return {
      problem: `line ${error.linePos?.[0].line ?? 1}: ${error.message.replace(/ at line \d+[^]*$/, '')}`,
    }
  const { contents } = document
  if (isConfig.test(text) && contents !== null && !isMap(contents))
    return { problem: 'line 2: it must have settings by name, such as packages: [nginx]' }
  return { document }
}

// No settings are nested like this. The parser takes long for what is, and calls itself for each level.
const deepest = 200

/** The brackets that are open at once. Those in texts count too. */
function depthOf(text: string): number {
  let open = 0
  let most = 0
  for (const [bracket] of text.matchAll(/[[\]{}]/g)) {
    open = bracket === '[' || bracket === '{' ? open + 1 : Math.max(open - 1, 0)
    most = Math.max(most, open)
  }
  return most
}

/** The first mistake in a text that cloud-init reads as YAML, with its line; undefined without one. */
export function cloudConfigProblem(text: string): string | undefined {
  if (!isYaml(text)) return undefined
  const result = parseCloudConfig(text)
  return 'problem' in result ? result.problem : undefined
}

import { delimiter, join } from 'node:path'

/** The folder of the repository. */
export const root = join(import.meta.dirname, '..')

/** Where tools keep what they can make again. */
export const cache = join(root, 'node_modules/.cache/purlin')

/** The path of an installed package's program. */
export const bin = (name: string) => join(root, 'node_modules/.bin', name)

/** The environment for child processes: the pinned Node and the installed programs come first. */
export const env = {
  ...process.env,
  PATH: [join(root, 'node_modules/.bin'), process.env['PATH'] ?? ''].join(delimiter),
}

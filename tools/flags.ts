/** The flags of the commands of this repository. */
import { parseArgs, type ParseArgsConfig } from 'node:util'

/**
 * The flags and further words that a command was given, by the options of `parseArgs`. For an unknown one the command
 * ends with exit code 2, and says which flags there are.
 */
export function readFlags<C extends ParseArgsConfig>(config: C): ReturnType<typeof parseArgs<C>> {
  try {
    return parseArgs(config)
  } catch (error) {
    // Only the first sentence is about the flag.
    const [first = ''] = String(error instanceof Error ? error.message : error).split(/\.(?:\s|$)|\n/)
    const flags = Object.entries(config.options ?? {}).map(
      ([name, { type }]) => `--${name}${type === 'string' ? ` <${name}>` : ''}`,
    )
    console.error(`${first}. The flags are: ${flags.join(', ')}`)
    process.exit(2)
  }
}

/** The words of a command: `purlin instance list` is the operation `instance_list`. */
import type { OperationName } from '../operations.ts'
import { snake } from '../wire.ts'

/**
 * The two commands whose words are not those of their operation's id: `console` attaches a terminal, as the console of
 * the browser does, and what was printed before is its history.
 */
const other: Partial<Record<OperationName, string>> = {
  instanceSerialConsole: 'instance_serial_history',
  instanceSerialConsoleStream: 'instance_serial_console',
}

/** The words of an operation's command: those of its id. */
export const wordsOf = (name: OperationName): string[] => (other[name] ?? snake(name)).split('_')

/** The name of a flag: `--boot-disk` is the field `bootDisk`. */
export const flagWord = (key: string): string => snake(key).replaceAll('_', '-')

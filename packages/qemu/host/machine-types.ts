/** The types of machines that a QEMU has: a guest keeps the one that it began with, also with a later QEMU. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)
const alias = 'q35'

export interface MachineTypes {
  /** The type for a boot: that of the boot before, if this QEMU has it, or else the newest. */
  choose(before: string | undefined): string
}

/** Asks QEMU. One that cannot be asked gives what it has under the name of all. */
export async function readMachineTypes(program: string): Promise<MachineTypes> {
  const { stdout } = await run(program, ['-machine', 'help']).catch(() => ({ stdout: '' }))
  const names = [...stdout.matchAll(/^(pc-q35-[\w.-]+)\s/gm)].map(([, name = '']) => name)
  const newest = /\(alias of (pc-q35-[\w.-]+)\)/.exec(stdout)?.[1] ?? alias
  return { choose: (before) => (before !== undefined && names.includes(before) ? before : newest) }
}

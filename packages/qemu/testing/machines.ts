/** Machines that outlive the process that has started them. */
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { findMachine } from '../machine/launch.ts'
import { killProcess } from '../machine/process.ts'

/** Ends all machines in a folder of them; it need not exist. */
export async function endMachines(folder: string): Promise<void> {
  for (const id of existsSync(folder) ? readdirSync(folder) : []) {
    const process = await findMachine(join(folder, id))
    if (process) await killProcess(process)
  }
}

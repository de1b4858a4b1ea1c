/** The size of an instance by its name, as the forms of the console offer it. */
import { CliError } from '../errors.ts'
import { apiOf } from '../http/api.ts'
import type { Server } from '../http/send.ts'
import type { Io } from '../io.ts'
import type { GivenFlags } from './arguments.ts'

/** The flags with the vCPUs and the memory of the size. Throws CliError for a size that is not offered. */
export async function withSize(
  io: Io,
  server: Server,
  { flags, size }: { flags: GivenFlags; size: string },
): Promise<GivenFlags> {
  if (flags['ncpus'] !== undefined || flags['memory'] !== undefined)
    throw new CliError('usage', 'either --size or --ncpus and --memory')
  const offered = await apiOf(io, server).all('offeredMachineSizeList')
  const found = offered.find(({ name }) => name === size)
  if (!found) {
    const names = offered.map(({ name }) => String(name)).join(', ')
    throw new CliError(
      'usage',
      `--size: there is no size ${size}; ${names ? `use ${names}` : 'none is offered'}`,
    )
  }
  return { ...flags, ncpus: [String(found['ncpus'])], memory: [String(found['memory'])] }
}

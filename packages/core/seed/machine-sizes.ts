/** The machine sizes of a silo of the demo, which needs other ones than most. */
import type { Client } from '@purlin/contract/client'
import type { Operations } from '@purlin/contract/operations'
import { GiB } from '@purlin/contract/rules/limits'

const sizes = [
  { name: 'notebook', description: 'To try something out', ncpus: 2, memory: 12 * GiB },
  { name: 'simulation', description: 'One run of the climate model', ncpus: 16, memory: 48 * GiB },
]

export async function makeMachineSizes(operator: Client<Operations>): Promise<void> {
  for (const body of sizes) await operator.siloMachineSizeCreate({ query: { silo: 'research' }, body })
}

/** The flags of the network helper. */
import type { ParseArgsOptionsConfig } from 'node:util'
import { netProblem, parseIp } from '@purlin/contract/rules/network/ip'

export const helperFlags = {
  'data-dir': { type: 'string', default: './.data' },
  external: { type: 'string', multiple: true, default: [] },
  reach: { type: 'string', multiple: true, default: [] },
  'tunnel-address': { type: 'string' },
  'allow-writable-files': { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} satisfies ParseArgsOptionsConfig

interface Values {
  external: string[]
  reach: string[]
  'tunnel-address'?: string | undefined
}

/** The problem with the values of flags, for people; undefined if there is none. */
export function flagProblem({ external, reach, 'tunnel-address': tunnel }: Values): string | undefined {
  for (const [flag, blocks] of Object.entries({ external, reach })) {
    const wrong = blocks.find((block) => netProblem(block) !== undefined)
    if (wrong !== undefined) return `--${flag}: ${wrong} is no block of addresses`
  }
  return tunnel !== undefined && parseIp(tunnel) === undefined
    ? `--tunnel-address: ${tunnel} is no IP address`
    : undefined
}

/** The programs that make networks. */
import { run } from './commands.ts'

/** The Debian packages that bring them. */
export const networkPackages = [
  'nftables',
  'iproute2',
  'dnsmasq-base',
  'conntrack',
  'procps',
  'util-linux',
] as const

const programs = [
  ['nft', '--version'],
  ['ip', '-V'],
  ['dnsmasq', '--version'],
  ['conntrack', '--version'],
  ['sysctl', '--version'],
  ['nsenter', '--version'],
] as const

/** The first program that is not installed; undefined if all are. */
export async function missingProgram(): Promise<string | undefined> {
  for (const [program, option] of programs) {
    const isThere = await run(program, [option]).then(
      () => true,
      () => false,
    )
    if (!isThere) return program
  }
  return undefined
}

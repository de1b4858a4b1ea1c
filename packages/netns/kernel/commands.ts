/** Programs of the host: ip, nft and others. There is no shell. */
import { execFile } from 'node:child_process'

const mostOutput = 2 ** 26
/** One that hangs would keep all others waiting. */
const longestMs = 20_000
/** The folders of programs that only root changes: npm and users have others in front. */
const env = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin' }

/** Runs a program. Throws with the end of its messages if it fails, and ends it if it takes too long. */
export function run(program: string, args: readonly string[], input = ''): Promise<string> {
  return new Promise((resolve, reject) => {
    const options = { maxBuffer: mostOutput, timeout: longestMs, killSignal: 'SIGKILL', env } as const
    const child = execFile(program, [...args], options, (error, stdout, stderr) => {
      if (error) reject(new Error(`${program} ${args.join(' ')}: ${stderr.slice(-1_000) || error.message}`))
      else resolve(stdout)
    })
    // A program that ends early does not read all of it, and its exit code says why.
    child.stdin?.on('error', () => undefined)
    child.stdin?.end(input)
  })
}

/** A network namespace by its name; null is that of this process. */
export type Namespace = string | null

const within = (namespace: Namespace) => (namespace === null ? [] : ['-n', namespace])

/** Runs ip in a namespace. */
export const ip = (namespace: Namespace, ...args: readonly string[]): Promise<string> =>
  run('ip', [...within(namespace), ...args])

interface Batch {
  /** of addresses: any, unless it is given */
  family?: 4 | 6
  /** Lines that fail are passed over. */
  mayFail?: boolean
}

/** Runs lines of ip in a namespace. The first that fails ends it. */
export async function ipBatch(
  namespace: Namespace,
  lines: readonly string[],
  { family, mayFail = false }: Batch = {},
): Promise<void> {
  if (lines.length === 0) return
  const options = [...(family === undefined ? [] : [`-${family}`]), ...(mayFail ? ['-force'] : [])]
  const all = [...within(namespace), ...options, '-batch', '-']
  const done = run('ip', all, `${lines.join('\n')}\n`)
  await (mayFail ? done.catch(() => '') : done)
}

/** Runs another program in a namespace: its name and arguments. */
export function inside(namespace: Namespace, command: readonly string[], input = ''): Promise<string> {
  const [program = '', ...args] = command
  return namespace === null
    ? run(program, args, input)
    : run('nsenter', [`--net=/run/netns/${namespace}`, program, ...args], input)
}

/** Replaces tables of nft in a namespace, all at one moment. */
export const applyNft = (namespace: Namespace, document: string): Promise<string> =>
  inside(namespace, ['nft', '-f', '-'], document)

/** The names of the devices in a namespace. */
export async function devicesIn(namespace: Namespace): Promise<Set<string>> {
  const list = JSON.parse(await ip(namespace, '-j', 'link', 'show')) as { ifname: string }[]
  return new Set(list.map(({ ifname }) => ifname))
}

/** The processes of a PostgreSQL server, as Linux shows them. */
import { readdirSync, readFileSync } from 'node:fs'

/** A session of a client, and its activity: `idle`, `idle in transaction`, `UPDATE waiting`, … */
export interface Session {
  pid: number
  doing: string
}

interface Process {
  pid: number
  title: string
}

function childrenOf(parent: number): Process[] {
  return readdirSync('/proc').flatMap((entry) => {
    const pid = Number(entry)
    const process = Number.isInteger(pid) ? read(pid) : undefined
    return process?.parent === parent ? [{ pid, title: process.title }] : []
  })
}

function read(pid: number): { parent: number; title: string } | undefined {
  try {
    // The name in the second field may contain anything.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
    const title = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')[0] ?? ''
    return { parent: Number(fields[1]), title: title.trim() }
  } catch {
    // It has ended since.
    return undefined
  }
}

/** The sessions of clients. */
export const sessionsOf = (postmaster: number): Session[] =>
  childrenOf(postmaster).flatMap(({ pid, title }) => {
    const doing = /^postgres: postgres postgres 127\.0\.0\.1\(\d+\) (.*)$/.exec(title)?.[1]
    return doing === undefined ? [] : [{ pid, doing }]
  })

/** Sends a signal to every process of the server. */
export function signalAll(postmaster: number, signal: NodeJS.Signals): void {
  for (const pid of [postmaster, ...childrenOf(postmaster).map((child) => child.pid)]) {
    try {
      process.kill(pid, signal)
    } catch {
      // It has ended since.
    }
  }
}

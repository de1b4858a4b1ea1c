/** The DHCP server of a VPC: dnsmasq in its namespace, which goes on when this process ends. */
import { readFile, rm, writeFile } from 'node:fs/promises'
import { inside } from './commands.ts'

export class Dhcp {
  #file: string

  /** `file` is the name of its settings, next to which the number of its process is. */
  constructor(file: string) {
    this.#file = file
  }

  /** Serves with these settings; not at all without any. */
  async serve(namespace: string, settings: string | undefined): Promise<void> {
    const known = await readFile(this.#file, 'utf8').catch(() => undefined)
    if (settings === known && (settings === undefined || (await this.#running()) !== undefined)) return
    await this.stop()
    if (settings === undefined) return
    await writeFile(this.#file, settings, { mode: 0o644 })
    await inside(namespace, ['dnsmasq', `--conf-file=${this.#file}`, `--pid-file=${this.#pidFile}`])
  }

  async stop(): Promise<void> {
    const pid = await this.#running()
    if (pid !== undefined) process.kill(pid, 'SIGTERM')
    await Promise.all([this.#file, this.#pidFile].map((file) => rm(file, { force: true })))
  }

  get #pidFile(): string {
    return `${this.#file}.pid`
  }

  /** The number of its process; undefined if it has ended, and another process may have the number. */
  async #running(): Promise<number | undefined> {
    const pid = Number(await readFile(this.#pidFile, 'utf8').catch(() => '0'))
    if (!Number.isInteger(pid) || pid <= 0) return undefined
    const words = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
    return words.split('\0').includes(`--conf-file=${this.#file}`) ? pid : undefined
  }
}

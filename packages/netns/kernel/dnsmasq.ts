/** dnsmasq in the namespace of a VPC, for addresses or for names. It goes on when this process ends. */
import { readFile, rm, writeFile } from 'node:fs/promises'
import { inside } from './commands.ts'

export class Dnsmasq {
  #file: string

  /** `file` is the name of its settings, next to which the number of its process is. */
  constructor(file: string) {
    this.#file = file
  }

  /** Serves with these settings; not at all without any. Begins `again` to forget which clients have addresses. */
  async serve(namespace: string, settings: string | undefined, again = false): Promise<void> {
    const known = again ? '' : await readFile(this.#file, 'utf8').catch(() => undefined)
    if (settings === known && (settings === undefined || (await this.#running()) !== undefined)) return
    await this.stop()
    if (settings === undefined) return
    await writeFile(this.#file, settings, { mode: 0o644 })
    await inside(namespace, ['dnsmasq', `--conf-file=${this.#file}`, `--pid-file=${this.#pidFile}`])
  }

  /** Has it read the names in its files again. */
  async reload(): Promise<void> {
    const pid = await this.#running()
    if (pid !== undefined) process.kill(pid, 'SIGHUP')
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

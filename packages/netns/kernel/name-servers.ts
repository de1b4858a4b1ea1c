/** The processes that answer for the names of a VPC: one for guests that get all names, and one for those that get the zone only. */
import { chmod, chown, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { settingsOf, type Names } from '../compile/names.ts'
import { Dnsmasq } from './dnsmasq.ts'

/** The user without rights, as whom dnsmasq reads names again. */
const unprivileged = 65_534

interface Files {
  /** The beginning of the names of files with settings. */
  settings: string
  /** has the names */
  hosts: string
}

export class NameServers {
  #hosts: string
  #servers: { server: Dnsmasq; isClosed: boolean }[]

  constructor({ settings, hosts }: Files) {
    this.#hosts = hosts
    this.#servers = [false, true].map((isClosed) => ({
      server: new Dnsmasq(`${settings}${isClosed ? '-closed' : ''}`),
      isClosed,
    }))
  }

  /** Answers for these names, or none. */
  async serve(namespace: string, names: Names | undefined): Promise<void> {
    if (!names) return this.stop()
    const known = await readFile(this.#hosts, 'utf8').catch(() => undefined)
    if (known !== names.hosts) await this.#write(names.hosts)
    for (const { server, isClosed } of this.#servers) {
      const settings = settingsOf(names, this.#hosts, isClosed)
      await server.serve(namespace, settings)
      if (known !== names.hosts && settings !== undefined) await server.reload()
    }
  }

  async #write(text: string): Promise<void> {
    const next = `${this.#hosts}.new`
    await mkdir(dirname(this.#hosts), { recursive: true })
    await chmod(dirname(this.#hosts), 0o711)
    await writeFile(next, text, { mode: 0o600 })
    await chown(next, unprivileged, 0)
    await rename(next, this.#hosts)
  }

  async stop(): Promise<void> {
    for (const { server } of this.#servers) await server.stop()
    await rm(this.#hosts, { force: true })
  }
}

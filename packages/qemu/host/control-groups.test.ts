import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { realClock } from '@purlin/sleds/suite/real-clock'
import { exampleSpec } from '@purlin/sleds/suite/suite-harness'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { lacks, notEverywhere } from '@purlin/sleds/testing/skips'
import { findMachine } from '../machine/launch.ts'
import { killProcess, startProcess, untilEnded } from '../machine/process.ts'
import { hasBoxes, whyNoQemu } from '../testing/qemu.ts'
import { openControlGroups } from './control-groups.ts'
import { createQemuHost } from './host.ts'

const MiB = 1024 ** 2
const log = { info: () => undefined, warn: () => undefined, error: () => undefined }
const folder = mkdtempSync(join(tmpdir(), 'purlin-groups-'))
const at = (name: string) => join(folder, name)
for (const name of ['blobs', 'other']) mkdirSync(at(name))
const bases: string[] = []
const groups = await openControlGroups(at('host'))
afterAll(async () => {
  await groups.removeOthers([])
  await groups.close()
  expect(bases.filter((base) => existsSync(base))).toEqual([])
  rmSync(folder, { recursive: true, force: true })
})

/** The group of a process by a controller. */
function groupOf(pid: number, controller: string): string {
  const lines = readFileSync(`/proc/${pid}/cgroup`, 'utf8').split('\n')
  const line = lines.find((one) => one.split(':')[1]?.split(',').includes(controller)) ?? lines.at(-2) ?? ''
  return line.split(':')[2] ?? ''
}

const noGroups = groups.bounded.length === 0 && notEverywhere.controlGroups

describe.skipIf(lacks(whyNoQemu || noGroups))(`groups for ${groups.bounded.join(', ')}`, () => {
  it('a machine is in its groups from its start until its end', async () => {
    const host = await createQemuHost({
      folder: at('host'),
      owner: 'a database',
      blobs: at('blobs'),
      accelerator: 'tcg',
      hasBoxes,
      network: 'none',
      groups,
      clock: realClock,
      log,
    })
    const web = randomUUID()
    const sledId = (await host.hardware()).sleds[0]?.id ?? ''
    const spec = {
      ...exampleSpec(sledId),
      ncpus: 1,
      memory: 32 * MiB,
      cpuPlatform: 'host' as const,
      disks: [],
    }
    await host.ensure(web, spec)
    await vi.waitFor(async () => expect((await host.inspect(web, sledId))?.state).toBe('running'), 60_000)
    const pid = (await findMachine(join(at('host'), web)))?.pid ?? 0
    const own = groups.bounded.map((one) => groupOf(pid, one))
    for (const group of own) expect(group).toMatch(new RegExp(`/purlin-[\\da-f]{12}/${web}$`))
    for (const [i, group] of own.entries()) bases.push(`/sys/fs/cgroup/${groups.bounded[i]}${dirname(group)}`)
    await host.remove(web, sledId, 1)
    await vi.waitFor(async () => expect(await host.inspect(web, sledId)).toBeNull(), 60_000)
    const left = own.filter((group, i) => existsSync(`/sys/fs/cgroup/${groups.bounded[i]}${group}`))
    expect(left).toEqual([])
    await host.close()
  })

  it.skipIf(lacks(!groups.bounded.includes('pids') && notEverywhere.processes))(
    'begins no more processes than its limit',
    async () => {
      const id = randomUUID()
      const go = at('other/go')
      const begin = 'for i in $(seq 400); do sleep 60 & done; echo $(jobs -p | wc -l) > begun; exec sleep 60'
      const started = await startProcess({
        program: 'bash',
        args: ['-c', `until [ -e ${go} ]; do sleep 0.1; done; ${begin}`],
        folder: at('other'),
        box: undefined,
      })
      const pid = started?.pid ?? 0
      await groups.join(id, pid, { ncpus: 1, memory: 64 * MiB })
      writeFileSync(go, '')
      const group = groupOf(pid, 'pids')
      const files = ['/sys/fs/cgroup/pids', '/sys/fs/cgroup'].map((mount) =>
        join(mount, group, 'cgroup.procs'),
      )
      const members = () =>
        readFileSync(files.find((path) => existsSync(path)) ?? '', 'utf8')
          .trim()
          .split('\n')
      // Bash tries to fork a number of times, and ends.
      await vi.waitFor(() => expect(readFileSync(at('other/errors.log'), 'utf8')).toContain('fork'), 60_000)
      expect(members().length).toBeLessThanOrEqual(257)
      for (const one of members()) process.kill(Number(one), 'SIGKILL')
      if (started) {
        await killProcess(started)
        await untilEnded(started, realClock)
      }
      await vi.waitFor(async () => {
        await groups.remove(id)
        expect(existsSync(join(files[0] ?? '', '..'))).toBe(false)
      }, 60_000)
      expect(readdirSync(at('other'))).not.toContain('begun')
    },
  )
})

import { exampleSpec } from '@purlin/sleds/suite/suite-harness'
import { describe, expect, it, vi } from 'vitest'
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findProcess, killProcess, startProcess, trimErrors } from './process.ts'
import { argumentsOf, type MachineSettings } from './arguments.ts'
import { reasonOf } from './failure.ts'
import { seedFiles } from './seed.ts'

const id = '6a1f0c52-7c1e-4f0b-9d43-0d4a3c1b8e01'
/** The nodes of a disk with one layer. */
const disk = (name: string): MachineSettings['disks'][number] => {
  const file = { driver: 'file', filename: `written/${name}`, discard: 'unmap' } as const
  return [{ driver: 'raw', 'node-name': name, 'read-only': false, file }]
}
const settings = (more: Partial<MachineSettings> = {}): MachineSettings => ({
  id,
  spec: exampleSpec('sled'),
  accelerator: 'tcg',
  network: 'outbound',
  disks: [disk('d0-x')],
  seed: '/m/seed',
  sockets: {
    qmp: '/m/a,b/qmp',
    serial: '/m/serial',
    screen: '/m/a,b/screen',
    memory: '/run/m/memory',
    sending: '/run/m/sending',
  },
  consoleLog: '/m/console.log',
  ...more,
})

/** The values of an option. */
const valuesOf = (words: string[], option: string) =>
  words.flatMap((word, i) => (words[i - 1] === option ? [word] : []))

describe('the arguments of QEMU', () => {
  it('has a second socket of QMP only where it is given a connection to send its memory by', () => {
    const chardevs = (more: Partial<MachineSettings>) =>
      valuesOf(argumentsOf(settings(more)), '-chardev').join()
    expect(chardevs({ isGiven: true })).toContain('id=sending,path=/run/m/sending,server=on,wait=off')
    expect(chardevs({})).not.toContain('sending')
  })

  it('has the firmware for UEFI only where the machine boots by it', () => {
    const uefi = { code: '/usr/code.fd', variables: '/m/a,b/variables' }
    const words = argumentsOf(settings({ uefi }))
    expect(valuesOf(words, '-machine').join()).toMatch(/,pflash0=code,pflash1=variables$/)
    const nodes = valuesOf(words, '-blockdev').map((one) => JSON.parse(one) as object)
    expect(nodes).toContainEqual(
      expect.objectContaining({
        'node-name': 'code',
        'read-only': true,
        file: { driver: 'file', filename: uefi.code },
      }),
    )
    expect(nodes).toContainEqual(expect.objectContaining({ 'node-name': 'variables', 'read-only': false }))
    expect(argumentsOf(settings()).join()).not.toContain('pflash')
  })

  it('has one root port for each device, disks by serial number, and the boot disk first', () => {
    const spec = exampleSpec('sled')
    const [first] = spec.disks
    const second = {
      ...first!,
      id: '11111111-5a0f-4a8e-8f0e-2f6a52f6d001',
      slot: 1,
      blockSize: 4096 as const,
    }
    const words = argumentsOf(
      settings({
        spec: { ...spec, bootDiskId: second.id, disks: [first!, second] },
        disks: [disk('d0-x'), disk('d1-y')],
      }),
    )
    const devices = valuesOf(words, '-device')
    expect(devices.filter((one) => one.startsWith('pcie-root-port'))).toHaveLength(4)
    expect(devices.filter((one) => one.startsWith('virtio-blk-pci,drive=d'))).toEqual([
      expect.stringMatching(
        /drive=d0-x,.*serial=0c4b21f85a0f4a8e8f0e,logical_block_size=512,.*bootindex=2,.*bus=port0$/,
      ),
      expect.stringMatching(/drive=d1-y,.*logical_block_size=4096,.*bootindex=1,.*bus=port1$/),
    ])
    expect(valuesOf(words, '-m')).toEqual([`size=${2 * 1024 ** 2}k`])
    expect(valuesOf(words, '-smp')).toEqual(['2,sockets=1,cores=2,threads=1'])
  })

  it('is sandboxed, without defaults, and a comma in a path begins no option', () => {
    const words = argumentsOf(settings())
    expect(words).toEqual(expect.arrayContaining(['-nodefaults', '-no-user-config']))
    expect(valuesOf(words, '-sandbox')).toEqual([expect.stringContaining('spawn=deny')])
    expect(valuesOf(words, '-chardev')[0]).toContain('path=/m/a,,b/qmp,server=on')
    expect(valuesOf(words, '-vnc')).toEqual(['unix:/m/a,,b/screen,share=force-shared'])
  })

  it('has a network only if it may reach outside', () => {
    const of = (network: MachineSettings['network']) =>
      valuesOf(argumentsOf(settings({ network })), '-netdev')
    expect(of('outbound')).toEqual(['user,id=net0,ipv6=off'])
    expect(of('none')).toEqual(['hubport,id=net0,hubid=0'])
  })

  it('uses the processor of the host with KVM only', () => {
    const spec = { ...exampleSpec('sled'), cpuPlatform: 'host' as const }
    const of = (more: Partial<MachineSettings>) => valuesOf(argumentsOf(settings(more)), '-cpu')
    expect(of({ spec })).toEqual(['max'])
    expect(of({ spec, accelerator: 'kvm' })).toEqual(['host'])
    expect(of({ accelerator: 'kvm' })).toEqual(['EPYC-Milan'])
  })
})

it('the seed has the name, keys, interfaces and user data of a machine', () => {
  const spec = exampleSpec('sled')
  const files = seedFiles(id, spec)
  expect(JSON.parse(String(files['meta-data']))).toEqual({
    'instance-id': id,
    'local-hostname': 'web',
    'public-keys': spec.sshPublicKeys,
  })
  expect(JSON.parse(String(files['network-config']))).toMatchObject({
    ethernets: { nic0: { match: { macaddress: 'a8:40:25:f0:00:01' }, dhcp4: true } },
  })
  const ofIpv6 = seedFiles(id, { ...spec, nics: spec.nics.map((nic) => ({ ...nic, isIpv6: true })) })
  expect(JSON.parse(String(ofIpv6['network-config']))).toMatchObject({
    ethernets: { nic0: { dhcp6: true, 'accept-ra': true } },
  })
  expect(files['user-data']).toContain('#cloud-config')
  const userData = Uint8Array.of(1, 2)
  expect(seedFiles(id, { ...spec, userData })['user-data']).toBe(userData)
})

it('a reason is in plain words and names no path of the host', () => {
  expect(
    reasonOf("qemu-system-x86_64: cannot set up guest memory 'pc.ram': Cannot allocate memory", ''),
  ).toBe('the host has too little free memory')
  const odd = "qemu-system-x86_64: -blockdev {}: Could not open '/srv/data/blobs/x.data': Odd"
  expect(reasonOf(odd, '')).toBe("QEMU: Could not open 'a file': Odd")
  expect(reasonOf('qemu-system-x86_64: warning: hub 0 is odd', 'it ended')).toBe('it ended')
  expect(reasonOf('', "EACCES: permission denied, open '/srv/qemu/x/machine.json'")).toBe(
    "EACCES: permission denied, open 'a file'",
  )
  expect(reasonOf('', 'it ended')).toBe('it ended')
})

it('a process is found by its arguments and its folder, and another one with the same arguments is not', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'purlin-process-'))
  const startIn = (cwd: string) => spawn('sh', ['-c', 'echo; read x', folder], { cwd })
  const [foreign, own] = [startIn('/'), startIn(folder)]
  try {
    for (const { stdout } of [foreign, own]) await new Promise((done) => stdout.once('data', done))
    expect(await findProcess(folder, folder)).toMatchObject({ pid: own.pid })
    expect(await findProcess(folder, '/')).toMatchObject({ pid: foreign.pid })
    expect(await findProcess(folder, tmpdir())).toBeUndefined()
  } finally {
    for (const process of [foreign, own]) process.kill('SIGKILL')
    rmSync(folder, { recursive: true })
  }
})

it('the first errors of a process are kept, and the room of the others is given back while it writes more', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'purlin-process-'))
  const words =
    'head -c 1000000 /dev/zero >&2; until [ -e go ]; do sleep 0.02; done; echo more >&2; read x <wait'
  const process = await startProcess({
    program: 'sh',
    args: ['-c', `mkfifo wait; ${words}`],
    folder,
    box: undefined,
  })
  const length = () => statSync(join(folder, 'errors.log')).size
  try {
    await vi.waitFor(() => expect(length()).toBe(1_000_000), 60_000)
    await trimErrors(folder)
    expect(length()).toBe(65_536)
    writeFileSync(join(folder, 'go'), '')
    await vi.waitFor(() => expect(length()).toBe(65_541), 60_000)
  } finally {
    if (process) await killProcess(process)
    rmSync(folder, { recursive: true })
  }
})

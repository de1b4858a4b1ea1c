/** The programs that tests with QEMU need. */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { boxProgram, whyNoBox } from '../machine/box.ts'
import { uplinkProgram } from '../machine/uplink.ts'

/** The Debian packages that bring them. */
export const qemuPackages = [
  'qemu-system-x86',
  'qemu-utils',
  'bubblewrap',
  'slirp4netns',
  'cpio',
  'python3',
  'ovmf',
] as const

const programs = [
  'qemu-system-x86_64',
  'qemu-img',
  'qemu-io',
  boxProgram,
  uplinkProgram,
  'cpio',
  '/usr/bin/python3',
]
const firmware = '/usr/share/OVMF/OVMF_CODE_4M.fd'
const isAbsent = (program: string) => spawnSync(program, ['--version']).status !== 0

/** The name of QEMU; undefined where one of the programs is not installed. */
export const findQemu = (): string | undefined =>
  programs.some(isAbsent) || !existsSync(firmware) ? undefined : programs[0]

/** Why tests with QEMU are skipped; false if they are not. */
export const whyNoQemu = findQemu() === undefined && `install ${qemuPackages.join(', ')}`

/** Whether the machines of tests are in boxes: wherever this host can make them. */
export const hasBoxes = whyNoBox('qemu-system-x86_64') === undefined

import { delimiter, join } from 'node:path'
import { isProgram } from '@purlin/server/testing/postgres'
import { run } from './testing/run.ts'

/** The programs on this machine, and how to get missing ones. */
export type Presence = { at: 'present' } | { at: 'missing'; install: string; said: string }

/** The path of a program: the first name that PATH has, or undefined. */
export function findProgram(...names: string[]): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(isProgram)
}

const whole = ['chromium', 'chromium-browser', 'google-chrome']

/**
 * The browser for journeys: PURLIN_CHROMIUM, or a Chromium on PATH, best the one without the parts around the page, which need
 * as much of the processor as the page.
 */
export const findChromium = () =>
  process.env['PURLIN_CHROMIUM'] ?? findProgram('chromium-headless-shell', ...whole)
/** The packages that bring it, the best first. */
export const chromiumPackages = ['chromium-headless-shell', 'chromium'] as const

/** The browser as people have it, for what is measured. */
export const findWholeChromium = () => process.env['PURLIN_CHROMIUM'] ?? findProgram(...whole)

/** The browser for the smoke set: PURLIN_FIREFOX, or a Firefox on PATH. */
export const findFirefox = () => process.env['PURLIN_FIREFOX'] ?? findProgram('firefox-esr', 'firefox')

/**
 * Installs a Debian package, the first there is, if `find` does not find what it brings. Only as root or where sudo asks
 * for no password; elsewhere it says what to run. Waits for another package manager to finish.
 */
export async function ensure(find: () => string | undefined, ...names: string[]): Promise<Presence> {
  let presence: Presence = { at: 'present' }
  for (const name of names) {
    presence = await ensureOne(find, name)
    if (presence.at === 'present') break
  }
  return presence
}

async function ensureOne(find: () => string | undefined, name: string): Promise<Presence> {
  if (find()) return { at: 'present' }
  const isRoot = process.getuid?.() === 0
  const missing = {
    at: 'missing',
    install: `${isRoot ? '' : 'sudo '}apt-get install ${name}`,
    said: '',
  } as const
  if (!findProgram('apt-get')) return { ...missing, install: `install ${name} with your package manager` }
  const sudo = isRoot ? [] : ['sudo', '-n']
  if (!isRoot && (await run(['sudo', '-n', 'true'])).code !== 0) return missing

  console.log(`Installing ${name} (apt-get) …`)
  const apt = [
    ...sudo,
    'env',
    'DEBIAN_FRONTEND=noninteractive',
    'apt-get',
    '-q',
    '-o',
    'DPkg::Lock::Timeout=600',
  ]
  const updated = await run([...apt, 'update'])
  const installed = await run([...apt, 'install', '-y', '--no-install-recommends', name])
  return find() ? { at: 'present' } : { ...missing, said: `${updated.output}\n${installed.output}` }
}

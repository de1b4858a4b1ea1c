/** Files of Debian's packages, which tests use without installing them. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const cache = fileURLToPath(new URL('../../../node_modules/.cache/purlin/', import.meta.url))

/** A folder that `build` fills once; undefined where it fails, as packages cannot be downloaded everywhere. */
export function builtOnce(name: string, build: (folder: string) => void): string | undefined {
  const folder = join(cache, name)
  if (existsSync(folder)) return folder
  const work = `${folder}.${process.pid}`
  rmSync(work, { recursive: true, force: true })
  mkdirSync(work, { recursive: true })
  try {
    build(work)
    rmSync(folder, { recursive: true, force: true })
    renameSync(work, folder)
    return folder
  } catch {
    return undefined
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

/** Downloads packages and unpacks them into a folder. Throws if one cannot be downloaded. */
export function unpack(folder: string, packages: readonly string[]): void {
  mkdirSync(folder, { recursive: true })
  const run = (program: string, ...args: string[]) =>
    execFileSync(program, args, { cwd: folder, stdio: 'pipe' })
  run('apt-get', 'download', ...packages)
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.deb'))) {
    run('dpkg-deb', '-x', file, '.')
    rmSync(join(folder, file))
  }
}

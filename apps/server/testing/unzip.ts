/** Reads zip files by a program that is not ours. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { newFolder } from './children.ts'

const canRun = (program: string, ...args: string[]): boolean => {
  try {
    execFileSync(program, args, { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

type Unzip = (zip: string, to: string) => void

/** The program of this machine; undefined if it has none. */
export function findUnzip(): Unzip | undefined {
  if (canRun('unzip', '-v'))
    return (zip, to) => {
      execFileSync('unzip', ['-tqq', zip])
      execFileSync('unzip', ['-qq', zip, '-d', to])
    }
  if (canRun('python3', '-c', 'import zipfile'))
    return (zip, to) => {
      execFileSync('python3', ['-m', 'zipfile', '-t', zip], { stdio: 'ignore' })
      execFileSync('python3', ['-m', 'zipfile', '-e', zip, to])
    }
  return undefined
}

/** Unpacks a zip, which must be sound. Returns the content of its files by path. */
export function unpack(unzip: Unzip, bytes: Uint8Array): Map<string, Buffer> {
  const folder = newFolder()
  const [zip, to] = [join(folder.path, 'files.zip'), join(folder.path, 'files')]
  try {
    writeFileSync(zip, bytes)
    mkdirSync(to)
    unzip(zip, to)
    const all = readdirSync(to, { recursive: true, withFileTypes: true }).filter((one) => one.isFile())
    return new Map(
      all.map(({ parentPath, name }) => {
        const path = join(parentPath, name)
        return [path.slice(to.length + 1), readFileSync(path)]
      }),
    )
  } finally {
    rmSync(folder.path, { recursive: true, force: true })
  }
}

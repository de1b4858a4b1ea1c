import { operations } from '@purlin/contract/operations'
import { isReading, type OpShape } from '@purlin/contract/op'
import { callsOf, isCode, isTest, type Finding, type TextFile } from './files.ts'

const SCREEN = /^apps\/console\/src\/(?:features|resource|shell)\//
const CALL = /\b(?:send|sendIfThere|useApi|useMutation)\(\s*(\w+)/g
const SENT = /\bsendRequest\((?:await )?(\w+)/g
const IMPORT = /\bimport\b[^;]*?\bfrom '[^']*'/g

/** Files that send changes without a request that is shown, and why. */
const exceptions: Readonly<Record<string, string>> = {
  'apps/console/src/features/device/verify.tsx': 'it signs in the command line',
  'apps/console/src/features/disks/imports/endImport.ts': 'the question shows the same requests',
  'apps/console/src/features/identity-providers/test/TestSignIn.tsx': 'the browser itself signs in',
  'apps/console/src/features/images/import/sendFile.ts': 'the form shows the first of many parts',
  'apps/console/src/features/images/upload/transfer/calls.ts': 'one command makes all these requests',
  'apps/console/src/features/second-factor/AddFactorDialog.tsx': 'the browser itself proves the factor',
  'apps/console/src/features/update/uploads.ts': 'one command makes all these requests',
  'apps/console/src/resource/actions/runTask.ts': 'the question or form shows the same request',
  'apps/console/src/shell/useSignOut.ts': 'it ends the session of the browser',
}

/** True if the name is that of an operation that a person would repeat by a command. */
function changes(name: string): boolean {
  const op: OpShape | undefined = Object.entries(operations).find(([key]) => key === name)?.[1]
  return op !== undefined && !isReading(op.method) && !op.changesNothing && op.allow !== 'public'
}

const wordIn = (word: string, text: string) => text.match(new RegExp(`\\b${word}\\b`, 'g'))?.length ?? 0

/** The uses of a request in a file, without its import, its definition, and where it is sent. */
function usesOf(request: string, text: string): number {
  const code = text.replaceAll(IMPORT, '')
  const defined = new RegExp(
    `\\b(?:const|function|let) ${request}\\b|\\bsendRequest\\((?:await )?${request}\\b`,
    'g',
  )
  return wordIn(request, code) - (code.match(defined)?.length ?? 0)
}

/** A screen shows each change as a command: it sends a request that is also given to what shows it. */
export function checkCommands(files: readonly TextFile[]): Finding {
  const screens = files.filter(({ path }) => SCREEN.test(path) && isCode(path) && !isTest(path))
  const problems = screens.flatMap(({ path, text }) => {
    if (path in exceptions) return []
    const unseen = [...text.matchAll(CALL)].map(([, name = '']) => name).filter(changes)
    const requests = new Set([...text.matchAll(SENT)].map(([, name = '']) => name))
    const unshown = [...requests].filter((name) => {
      if (name === 'requestTo') return true
      const isExported = screens.some((file) =>
        new RegExp(`export (?:async )?(?:const|function) ${name}\\b`).test(file.text),
      )
      const places = isExported ? screens : [{ path, text }]
      return places.every((file) => usesOf(name, file.text) === 0)
    })
    return [
      ...unseen.map(
        (name) => `${path} sends ${name} by itself: make a request of it and show it as a command`,
      ),
      ...unshown.map((name) => `${path} sends ${name} and nothing shows it as a command`),
    ]
  })
  const said = `screens show what they send, with ${Object.keys(exceptions).length} exceptions`
  return { name: 'commands', said, problems, figures: {} }
}

const hasOwnFailure = (text: string) =>
  callsOf(text, /addToast\(/g).some(({ given }) => /\b(?:errorMessage|failure)\(/.test(given))

/** A notification of a failure has its sentence, the id of its request and the link to the guide. */
export function checkFailures(files: readonly TextFile[]): Finding {
  const problems = files
    .filter(({ path, text }) => SCREEN.test(path) && !isTest(path) && hasOwnFailure(text))
    .map(({ path }) => `${path} shows the sentence of an error alone: use toastFailure`)
  return { name: 'failures', said: 'notifications of failures have their request', problems, figures: {} }
}

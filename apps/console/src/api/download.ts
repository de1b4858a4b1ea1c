import { ApiError, errorBody } from '@purlin/contract/client'
import type { OpShape } from '@purlin/contract/op'
import { listExport } from '@purlin/contract/operations/lists/list-export'
import { nameOf, reportFailures } from './send.ts'
import { transport, type FileAnswer } from './transport.ts'

/**
 * Saves the file of an export or of another operation under the name that the answer gives it. The page reads it: a link
 * would leave a refusal to the browser, which drops it without a word. Throws ApiError.
 */
export const download = (url: string, op: OpShape = listExport): Promise<void> =>
  reportFailures(op, readAndSave(url, op))

async function readAndSave(url: string, op: OpShape): Promise<void> {
  const answer = await read(url, op)
  if (!answer) return
  saveFile(
    answer.file,
    /filename="([^"]*)"/.exec(answer.headers['content-disposition'] ?? '')?.[1] ?? 'export',
  )
}

/** Reads a file of text. Throws ApiError. */
export async function readText(url: string, op: OpShape): Promise<string> {
  const answer = await reportFailures(op, read(url, op))
  return answer ? answer.file.text() : ''
}

async function read(url: string, op: OpShape): Promise<FileAnswer | undefined> {
  const answer = await transport().readFile?.(url)
  if (!answer || answer.status === 200) return answer
  const { status, headers, file } = answer
  throw new ApiError(nameOf(op), status, {
    ...errorBody(await file.text()),
    requestId: headers['x-request-id'],
    url,
  })
}

/** Has the browser save a file. */
export function saveFile(file: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(file)
  link.download = name
  link.click()
  // The browser reads it after this turn.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}

import { ApiError, errorBody } from '@purlin/contract/client'
import { listExport } from '@purlin/contract/operations/lists/list-export'
import { nameOf, reportFailures } from './send.ts'
import { transport } from './transport.ts'

/**
 * Saves the file of an export under the name that the answer gives it. The page reads it: a link would leave a refusal
 * to the browser, which drops it without a word. Throws ApiError.
 */
export const download = (url: string): Promise<void> => reportFailures(listExport, readAndSave(url))

async function readAndSave(url: string): Promise<void> {
  const answer = await transport().readFile?.(url)
  if (!answer) return
  const { status, headers, file } = answer
  if (status !== 200) {
    const failure = { ...errorBody(await file.text()), requestId: headers['x-request-id'], url }
    throw new ApiError(nameOf(listExport), status, failure)
  }
  save(file, /filename="([^"]*)"/.exec(headers['content-disposition'] ?? '')?.[1] ?? 'export')
}

function save(file: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(file)
  link.download = name
  link.click()
  // The browser reads it after this turn.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}

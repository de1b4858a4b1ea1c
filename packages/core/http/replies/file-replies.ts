/** Answers that are files of a known size, of which a client may request a part (RFC 9110, section 14). */
import type { ApiRequest, ApiResponse } from '@purlin/contract/http'
import type { OpShape } from '@purlin/contract/op'
import type { FileAnswer } from '#/context.ts'
import { fault } from '#/faults.ts'

interface Part {
  from: number
  /** The offset behind the last byte. */
  to: number
}

/**
 * The requested part of this many bytes; undefined for all of them, which is also the answer to several ranges and to
 * a header that cannot be read. Throws 416 for a part that does not exist.
 */
export function rangeOf(header: string | undefined, size: number): Part | undefined {
  const [, first, last] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.trim() ?? '') ?? []
  if (first === undefined || last === undefined || first + last === '') return undefined
  if (first === '') {
    if (Number(last) === 0 || size === 0) throw fault.noSuchRange(size)
    return { from: Math.max(0, size - Number(last)), to: size }
  }
  const from = Number(first)
  const to = last === '' ? size : Math.min(size, Number(last) + 1)
  if (last !== '' && Number(last) < from) return undefined
  if (from >= size) throw fault.noSuchRange(size)
  return { from, to }
}

/** The part that a request asks for. `If-Range` asks for it only if the file is still the same. */
function partOf({ headers }: ApiRequest, { size, tag }: FileAnswer): Part | undefined {
  const unlessChanged = headers['if-range']
  return unlessChanged === undefined || unlessChanged === tag ? rangeOf(headers['range'], size) : undefined
}

/** The answer with a file, or with its headers for HEAD. */
export function fileReply(op: OpShape, request: ApiRequest, file: FileAnswer): ApiResponse {
  const { contentType, fileName, size, tag, read } = file
  const part = op.hasRanges ? partOf(request, file) : undefined
  const { from, to } = part ?? { from: 0, to: size }
  const headers = {
    'content-type': contentType,
    'content-length': String(to - from),
    'content-disposition': `attachment; filename="${fileName}"`,
    ...(op.hasRanges ? { 'accept-ranges': 'bytes' } : {}),
    ...(tag === undefined ? {} : { etag: tag }),
    ...(part ? { 'content-range': `bytes ${from}-${to - 1}/${size}` } : {}),
  }
  const answer = { status: part ? 206 : 200, headers, body: null }
  return op.method === 'HEAD' ? answer : { ...answer, bytes: read(from, to) }
}

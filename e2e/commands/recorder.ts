/** A server that keeps the requests that a command sends, and answers with an error. */
import { createServer } from 'node:http'
import { buffer } from 'node:stream/consumers'

/** A request as it came: its body is JSON, or a text. */
export interface Sent {
  method: string
  url: string
  body: unknown
}

export interface Recorder {
  origin: string
  /** The requests since the last call. */
  taken: () => Sent[]
  close: () => void
}

/** The body of a request: JSON if it is any. */
export function bodyOf(text: string): unknown {
  try {
    return text === '' ? null : (JSON.parse(text) as unknown)
  } catch {
    return text
  }
}

/** The messages that are shown. */
export const messagesIn = (http: string): Sent[] =>
  http.split(/\n\n(?=[A-Z]+ \/)/).map((message) => {
    const [head = '', body = ''] = message.split(/\n\n/)
    const [method = '', url = ''] = head.split(' ')
    return { method, url, body: bodyOf(body) }
  })

/** The first of them. */
export function messageIn(http: string): Sent {
  const [first] = messagesIn(http)
  if (!first) throw new Error('no message is shown')
  return first
}

/** The answer to every request: nothing is done. */
export const refusal = { message: 'only recorded', error_code: 'InvalidRequest', request_id: 'none' }

export async function openRecorder(): Promise<Recorder> {
  const seen: Sent[] = []
  const server = createServer((request, response) => {
    void buffer(request).then((bytes) => {
      seen.push({ method: request.method ?? '', url: request.url ?? '', body: bodyOf(bytes.toString()) })
      response.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify(refusal))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  return { origin: `http://127.0.0.1:${port}`, taken: () => seen.splice(0), close: () => server.close() }
}

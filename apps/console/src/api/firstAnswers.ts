/** The answers that came with the document: the server has put there what the first page asks for. */
import type { Transport } from '@purlin/contract/http'

/** The answer to a GET of path and query, with status 200. */
export interface FirstAnswer {
  url: string
  headers: Readonly<Record<string, string>>
  body: string
}

interface Answering {
  send: Transport
  /** Ends that: later questions need new answers. */
  forget: () => void
}

/** A transport that gives each of these answers once, and sends all other requests. */
export function answering(answers: readonly FirstAnswer[], send: Transport): Answering {
  const byUrl = new Map(answers.map((answer) => [answer.url, answer]))
  return {
    send: (request) => {
      const known = request.method === 'GET' ? byUrl.get(request.url) : undefined
      if (!known) return send(request)
      byUrl.delete(request.url)
      return Promise.resolve({ status: 200, headers: known.headers, body: known.body })
    },
    forget: () => byUrl.clear(),
  }
}

/** A transport with the answers of this document. */
export function withFirstAnswers(send: Transport): Answering {
  const script = document.getElementById('first-answers')
  // What has been read does not stay in the document.
  script?.remove()
  return answering(script ? (JSON.parse(script.textContent) as FirstAnswer[]) : [], send)
}

/** A thread that renders pages of the console, by the module of a built console that `workerData` names. */
import { isMainThread, parentPort, workerData, type MessagePort } from 'node:worker_threads'
import type { FirstAnswer } from './document.ts'
import type { TooMuch } from './first-answers.ts'

export interface RenderTask {
  /** path and query */
  url: string
  answers: readonly FirstAnswer[]
  /** Takes a `MoreAsked` for each further answer that the page needs, and gives a `MoreGiven`. */
  more: MessagePort
}
export interface MoreAsked {
  url: string
}
export interface MoreGiven {
  url: string
  answer: Answer
}
type Answer = FirstAnswer | TooMuch | null

/** The markup, null if what is at this path has none; for a page that asks for too much, just that; or why it failed. */
export type RenderOutcome = { markup: string | null } | { asksMore: true } | { failure: string }

type Ask = (url: string) => Promise<Answer>
interface Renderer {
  renderPage: (url: string, answers: readonly FirstAnswer[], ask: Ask) => Promise<RenderOutcome>
}

/** Asks by the port of one task. Once it is closed nothing is answered any more. */
function askBy(port: MessagePort): Ask {
  const waiting = new Map<string, PromiseWithResolvers<Answer>>()
  port.on('message', ({ url, answer }: MoreGiven) => {
    waiting.get(url)?.resolve(answer)
    waiting.delete(url)
  })
  return (url) => {
    const known = waiting.get(url)
    if (known) return known.promise
    const asked = Promise.withResolvers<Answer>()
    waiting.set(url, asked)
    port.postMessage({ url } satisfies MoreAsked, [])
    return asked.promise
  }
}

if (!isMainThread) {
  const module = import(String(workerData)) as Promise<Renderer>
  const outcomeOf = async ({ url, answers, more }: RenderTask): Promise<RenderOutcome> => {
    try {
      const { renderPage } = await module
      return await renderPage(url, answers, askBy(more))
    } catch (error) {
      return { failure: String(error) }
    } finally {
      more.close()
    }
  }
  parentPort?.on('message', (task: RenderTask) => {
    void outcomeOf(task).then((outcome) => parentPort?.postMessage(outcome, []))
  })
}

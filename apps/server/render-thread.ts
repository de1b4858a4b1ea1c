/** A thread that renders pages of the console, by the module of a built console that `workerData` names. */
import { isMainThread, parentPort, workerData } from 'node:worker_threads'
import type { FirstAnswer } from './document.ts'

export interface RenderTask {
  path: string
  answers: readonly FirstAnswer[]
}

/** The markup, null if what is at this path has none; for a page that asks for more than the answers, just that; or why it failed. */
export type RenderOutcome = { markup: string | null } | { asksMore: true } | { failure: string }

interface Renderer {
  renderPage: (path: string, answers: readonly FirstAnswer[]) => Promise<RenderOutcome>
}

if (!isMainThread) {
  const module = import(String(workerData)) as Promise<Renderer>
  const outcomeOf = async ({ path, answers }: RenderTask): Promise<RenderOutcome> => {
    try {
      const { renderPage } = await module
      return await renderPage(path, answers)
    } catch (error) {
      return { failure: String(error) }
    }
  }
  parentPort?.on('message', (task: RenderTask) => {
    void outcomeOf(task).then((outcome) => parentPort?.postMessage(outcome, []))
  })
}

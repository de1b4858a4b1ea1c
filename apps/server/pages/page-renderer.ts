/** Renders what a document shows until its scripts have rendered the page, in a thread of its own. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { MessageChannel } from 'node:worker_threads'
import type { Log } from '@purlin/core/ports'
import { renderFile, type Visit } from './document.ts'
import type { FirstAnswers } from './first-answers.ts'
import { createLimit } from '../http/limit.ts'
import type { MoreAsked, MoreGiven, RenderOutcome, RenderTask } from './render-thread.ts'
import { createThreads } from '../process/threads.ts'

/** In characters; fifty rows of many columns have about 150 000. */
const longestMarkup = 512 * 1024
/** How long a document waits, in ms, and how many may wait: the others show the frame. */
const patienceMs = 100
const longestQueue = 4
/** After that its address has the frame only: for another person it may be given all that it asks for. */
const mostMisses = 3

/** In MiB. What lives on is the code; a page is forgotten once it is rendered. */
const resourceLimits = { maxOldGenerationSizeMb: 192, maxYoungGenerationSizeMb: 8 }

export interface PageRenderer {
  /**
   * The markup of the page at a path for a person who is given these answers, and others that it asks for; null if it
   * can't be had, or not soon. Never throws.
   */
  render(page: RenderedPage): Promise<string | null>
}
interface RenderedPage {
  /** path and query */
  url: string
  visit: Visit
  answers: FirstAnswers
  /** The person's Accept-Language. */
  language: string | undefined
}

/** Renders pages of a built console; none where the build has nothing to render with. */
export function createPageRenderer(dist: string, log: Log): PageRenderer {
  const file = join(dist, renderFile)
  const oneAtATime = createLimit(1, longestQueue)
  const run = createThreads<RenderTask, RenderOutcome>(new URL('render-thread.ts', import.meta.url), {
    workerData: pathToFileURL(file).href,
    resourceLimits,
  })
  /** By address, how often in a row its page could not be rendered. */
  const misses = new Map<string, number>()
  let pending = 0
  let hasEnded = false

  /** The thread asks by a port of its own for each page, which ends with it: it has no other way to anybody's answers. */
  async function outcomeOf(url: string, answers: FirstAnswers): Promise<RenderOutcome> {
    const { port1: ours, port2: more } = new MessageChannel()
    ours.on('message', ({ url }: MoreAsked) => {
      void answers.more(url).then((answer) => ours.postMessage({ url, answer } satisfies MoreGiven, []))
    })
    try {
      return await run({ url, answers: answers.given, more }, [more])
    } finally {
      ours.close()
    }
  }

  async function rendered({ url, visit: { address }, answers }: RenderedPage): Promise<string | null> {
    pending++
    try {
      const outcome = await oneAtATime(() => outcomeOf(url, answers))
      if ('markup' in outcome) {
        misses.delete(address)
        return (outcome.markup?.length ?? 0) > longestMarkup ? null : outcome.markup
      }
      misses.set(address, (misses.get(address) ?? 0) + 1)
      if ('failure' in outcome) log.warn({ address, reason: outcome.failure }, 'a page could not be rendered')
    } catch (error) {
      hasEnded = true
      log.warn({ reason: String(error) }, 'pages are not rendered any longer: they show their frame first')
    } finally {
      pending--
    }
    return null
  }

  return {
    async render(page) {
      const { visit, answers, language } = page
      if (hasEnded || pending > longestQueue || misses.get(visit.address) === mostMisses) return null
      const isWhole = visit.hasFrame && answers.given.length === visit.requests.length
      if (!isWhole || !writesNumbersAlike(language) || !existsSync(file)) return null
      let timer: NodeJS.Timeout | undefined
      const late = new Promise<null>((resolve) => {
        timer = setTimeout(resolve, patienceMs, null)
      })
      const markup = await Promise.race([rendered(page), late])
      clearTimeout(timer)
      return markup
    },
  }
}

const sample = 1_234_567.8

/** Numbers are rendered in the language of this process: who writes them otherwise would see them change. */
function writesNumbersAlike(language: string | undefined): boolean {
  const [first = ''] = (language ?? '').trim().split(/[,;]/)
  const isAny = first === '' || first === '*'
  try {
    return isAny || sample.toLocaleString(first) === sample.toLocaleString()
  } catch {
    return false
  }
}

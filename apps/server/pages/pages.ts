/** The paths outside of the API: the console's pages and files, the guide, and the redirect to sign-in. */
import type { ApiRequest, ApiResponse } from '@purlin/contract/http'
import {
  actorOf,
  checkRelative,
  type Dispatcher,
  errorReply,
  fault,
  parseSearch,
  type World,
} from '@purlin/core'
import { firstAnswers } from './first-answers.ts'
import { failedSignIn, isNavigation, loginAddress } from './login.ts'
import { apiReply, redirect, type Reply } from '../http/reply.ts'
import type { Wanted } from './folder.ts'
import { isOfGuide, type Guide } from './guide.ts'
import type { StaticFiles } from './static.ts'

const readMethods = new Set(['GET', 'HEAD'])

/** The parts that pages are made of. */
export interface PageWorld {
  world: World
  api: Pick<Dispatcher, 'dispatch'>
  files: StaticFiles
  guide: Guide
}

/** Answers a request whose path is not the API's. Never throws for what a client sends. */
export function createPages({
  world,
  api,
  files,
  guide,
}: PageWorld): (request: ApiRequest) => Promise<Reply> {
  async function toLogin(request: ApiRequest): Promise<Reply> {
    const [given, more] = parseSearch(queryOf(request.url)).getAll('redirect_uri')
    if (more !== undefined) throw fault.badQuery('duplicate field `redirect_uri`')
    if (given !== undefined) checkRelative(given)
    return redirect(await loginAddress(world, request, given ?? null))
  }

  /** A page of the console for a signed-in user. */
  async function visited(request: ApiRequest, path: string): Promise<Reply> {
    const visit = files.visitOf(path)
    // The requests of an address were recorded without a query.
    const isKnown = visit && !request.url.includes('?')
    const answers = isKnown ? await firstAnswers(api, request, visit.requests) : []
    return files.page(200, visit, answers)
  }

  async function shown(request: ApiRequest, path: string): Promise<Reply> {
    const wanted = wantedBy(request)
    if (path === signIn) return toLogin(request)
    if (isOfGuide(path)) return guide.answer(path, wanted)
    const page = files.pageAt(path)
    if (page === 'sign-in') return files.page(200, files.visitOf(path))
    if (page === 'console') {
      if (await actorOf(world, request)) return visited(request, path)
      return redirect(await loginAddress(world, request, request.url))
    }
    const file = await files.file(path, wanted)
    if (file) return file
    return answered(request, await api.dispatch(request))
  }

  /** An answer of the API to a program, or a page for a person who was led to it. */
  function answered(request: ApiRequest, answer: ApiResponse): Reply {
    if (!isNavigation(request) || answer.status < 400) return apiReply(answer)
    if (answer.status === 404) return files.page(404)
    const page = failedSignIn(request.url, answer)
    return page === undefined ? apiReply(answer) : redirect(page, 303)
  }

  return async (request) => {
    const path = request.url.split('?', 1)[0] ?? ''
    if (!readMethods.has(request.method)) {
      const isPage = path === signIn || isOfGuide(path) || files.pageAt(path) === 'console'
      if (isPage) return apiReply(refused(world, fault.noMethod(['GET', 'HEAD']), request))
      return answered(request, await api.dispatch(request))
    }
    try {
      return await shown(request, path)
    } catch (error) {
      return apiReply(refused(world, error, request))
    }
  }
}

/** Leads to the page on which users of a silo sign in, and is there without a console too. */
const signIn = '/login'

const refused = (world: World, error: unknown, request: ApiRequest) =>
  errorReply(world, error, { requestId: world.ids.uuid(), request })

const queryOf = (url: string) => (url.includes('?') ? url.slice(url.indexOf('?') + 1) : '')
const wantedBy = (request: ApiRequest): Wanted => ({
  acceptEncoding: request.headers['accept-encoding'] ?? null,
  ifNoneMatch: request.headers['if-none-match'] ?? null,
})

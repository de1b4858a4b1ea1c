/** Opens the live consoles of an instance of `demo` as the server does. */
import { openConsole } from '#/resources/instances/console/open.ts'
import type { TestWorld, Who } from '../world.ts'

/** The cookie of a new session. */
export async function cookieOf(w: TestWorld, who: Who): Promise<string> {
  const body = JSON.stringify({ username: who.toLowerCase(), password: `${who}-password` })
  const silo = who === 'stranger' ? 'other' : 'acme'
  const { cookies } = await w.raw({ method: 'POST', url: `/v1/login/${silo}/local`, body })
  return cookies[0]?.split(';')[0] ?? ''
}

/** The upgrade of a request, by someone or without a session. */
export async function upgradeOf(w: TestWorld, who: Who | null, path: string) {
  const headers: Record<string, string> = { host: 'purlin.test' }
  if (who) headers['cookie'] = await cookieOf(w, who)
  return w.plane.upgrade({ method: 'GET', url: `/v1/instances/${path}`, headers })
}

/** A console, with what it gives and why it has ended. */
export async function openLive(w: TestWorld, who: Who, path: string) {
  const { ctx, input } = await upgradeOf(w, who, path)
  const seen = { text: '', closed: [] as string[] }
  const opened = await openConsole(ctx, input, {
    data: (bytes) => (seen.text += new TextDecoder().decode(bytes)),
    closed: (reason) => void seen.closed.push(reason),
  })
  return { ...opened, seen }
}

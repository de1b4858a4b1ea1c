/** The page's side of the preview's service worker (`worker.js`): calls made past the client. */
import { piecesOf, type ApiRequest, type Transport } from '@purlin/contract/http'

// A page loaded past the cache (Shift and reload) is never controlled.
const timeoutMs = 1000

/** Resolves once the worker sees this page's calls, or will not: the client works without it. */
export async function startWorker(): Promise<void> {
  // Plain http on a host other than this machine has no service workers.
  if (!('serviceWorker' in navigator)) return
  const { serviceWorker } = navigator
  const controlled = new Promise((resolve) => {
    serviceWorker.addEventListener('controllerchange', resolve, { once: true })
    setTimeout(resolve, timeoutMs)
  })
  try {
    await serviceWorker.register('/preview-worker.js')
    if (!serviceWorker.controller) await controlled
  } catch (error) {
    console.warn('Calls past the client are not answered', error)
  }
}

/** Answers what the worker hands over. */
export function answerWorker(send: Transport): void {
  if (!('serviceWorker' in navigator)) return
  const answer = async ({ data, ports: [port] }: MessageEvent<ApiRequest & { body: string }>) => {
    port?.postMessage('received')
    const { bytes, ...answered } = await send(data)
    port?.postMessage(bytes ? { ...answered, body: new Blob(await piecesOf(bytes)) } : answered)
  }
  navigator.serviceWorker.addEventListener('message', (event) => void answer(event))
  navigator.serviceWorker.startMessages()
}

/**
 * The preview's service worker. Calls of the API that reach the network, because code in the page made
 * them past the client, are handed to the control plane in that page.
 */

// A page that runs no control plane, such as a server's console on the same port, never acknowledges.
const patienceMs = 2000

self.addEventListener('install', () => self.skipWaiting())
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()))
self.addEventListener('fetch', (event) => {
  const { origin, pathname, search } = new URL(event.request.url)
  if (origin === self.location.origin && /^\/(experimental\/)?v1\//.test(pathname))
    event.respondWith(respond(event, pathname + search))
})

async function respond({ request, clientId }, url) {
  const client = await self.clients.get(clientId)
  const body = await request.clone().text()
  const answer = client && (await ask(client, { method: request.method, url, headers: {}, body }))
  if (!answer) return fetch(request)
  return new Response(answer.body, { status: answer.status, headers: answer.headers })
}

/** The page's response; undefined if the page is no preview. */
function ask(client, request) {
  const { port1, port2 } = new MessageChannel()
  return new Promise((resolve) => {
    const giveUp = setTimeout(() => {
      resolve(undefined)
      void self.registration.unregister()
    }, patienceMs)
    port1.addEventListener('message', ({ data }) => {
      clearTimeout(giveUp)
      if (data !== 'received') resolve(data)
    })
    port1.start()
    client.postMessage(request, [port2])
  })
}

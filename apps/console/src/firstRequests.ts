/** The requests that the loaders of each address send first: recorded from the loaders when the console is built. */
import { createMemoryHistory } from '@tanstack/react-router'
import { lookUpLimit } from './api/everyPage.ts'
import { queryClient } from './api/query.ts'
import { setTransport } from './api/transport.ts'
import { createAppRouter } from './router.ts'
import { wholeTree } from './signInTree.ts'
import { bare } from './ui/layout/path.ts'

/** Lists of one user are never long. */
const ownLists = '/v1/me/'

/** Stands for a parameter of an address while it is recorded. No encoding changes it. */
const markOf = (parameter: string) => `~${parameter}~`

/**
 * By address, such as `/projects/$project/disks`: path and query of the requests, with the parameters of the address
 * as in `/v1/disks?project=$project`. Not among them are requests that wait for the answer to another one, and look-ups
 * of whole lists, which are too long for a document, unless they are of the person who asks.
 */
export const firstRequests = await record()

async function record(): Promise<Record<string, string[]>> {
  const routeTree = await wholeTree()
  let urls = new Set<string>()
  setTransport({
    send: ({ method, url }) => {
      const isLong = url.includes(`limit=${lookUpLimit}`) && !url.startsWith(ownLists)
      if (method === 'GET' && !isLong) urls.add(url)
      return Promise.reject(new Error('only recorded'))
    },
    openSocket: () => {
      throw new Error('a loader opens no socket')
    },
  })
  const found: Record<string, string[]> = {}
  for (const address of Object.keys(createAppRouter(routeTree).routesByPath)) {
    urls = new Set()
    queryClient.clear()
    const path = address.replace(/\$(\w+)/g, (_, parameter: string) => markOf(parameter))
    const history = createMemoryHistory({ initialEntries: [path] })
    await createAppRouter(routeTree, history).load()
    found[bare(address)] = [...urls].map((url) => url.replace(/~(\w+)~/g, '$$$1'))
  }
  return found
}

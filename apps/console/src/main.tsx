import './styles/main.css'
import { RouterProvider } from '@tanstack/react-router'
import { startTransition, useLayoutEffect } from 'react'
import { createRoot } from 'react-dom/client'
import { withFirstAnswers } from './api/firstAnswers.ts'
import { makeRouter } from './router.ts'
import { setActivityPanel } from './resource/actions/activity.ts'
import { setActs } from './resource/acts/acts.ts'
import { stylesAndFontsLoaded } from './shell/fonts.ts'
import { networkTransport, setTransport, type ConsoleTransport } from './api/transport.ts'

setActivityPanel(() => import('./features/activity/load.ts'))
setActs(() => import('./features/acts/load.ts'))

async function chooseTransport(): Promise<ConsoleTransport> {
  if (import.meta.env.MODE !== 'preview') return networkTransport
  const { startPreview } = await import('./preview/preview.ts')
  const options = new URLSearchParams(window.location.search)
  return startPreview({
    chaosPercent: Number(options.get('chaos') ?? 0),
    latency: options.get('latency') !== '0',
  })
}

/** Loads the first page. Rendered earlier, React would show an empty page and hold the content back for 300 ms. */
async function loadFirst({ history, load }: Awaited<ReturnType<typeof makeRouter>>): Promise<void> {
  // The router itself follows the address only once it is rendered.
  let loading: Promise<void> | undefined
  const stop = history.subscribe((change) => {
    loading = load(change)
  })
  loading = load()
  for (let last; last !== loading;) {
    last = loading
    await last
  }
  stop()
}

/** Follows an address that changed between loading and rendering; the router does not look at that by itself. */
function FollowAddress({ router }: { router: Awaited<ReturnType<typeof makeRouter>> }): null {
  // After the router's own effect, which subscribes to the address.
  useLayoutEffect(() => {
    if (router.history.location.href !== router.state.resolvedLocation?.href) void router.load()
  }, [router])
  return null
}

// No top-level await: the preview's chunk imports this one, and would wait for it forever.
async function start(): Promise<void> {
  const fonts = stylesAndFontsLoaded()
  const [transport, router] = await Promise.all([chooseTransport(), makeRouter()])
  const first = withFirstAnswers(transport.send)
  setTransport({ ...transport, send: first.send })
  // The router renders what it could load, or its error screen.
  await loadFirst(router).catch(reportError)
  await fonts
  first.forget()
  const root = document.getElementById('root')
  if (!root) throw new Error('the page has no root')
  const reactRoot = createRoot(root)
  // A transition is rendered in slices, so that the thread answers in between; the frame is shown already.
  startTransition(() =>
    reactRoot.render(
      <>
        <RouterProvider router={router} />
        <FollowAddress router={router} />
      </>,
    ),
  )
}
void start()

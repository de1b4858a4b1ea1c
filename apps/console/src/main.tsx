import './styles/main.css'
import { RouterProvider } from '@tanstack/react-router'
import { createRoot } from 'react-dom/client'
import { makeRouter } from './router.ts'
import { networkLink, setLink, type Link } from './transport.ts'

async function chooseLink(): Promise<Link> {
  if (import.meta.env.MODE !== 'preview') return networkLink
  const { startPreview } = await import('./preview.ts')
  const asked = new URLSearchParams(window.location.search)
  return startPreview({
    chaosPercent: Number(asked.get('chaos') ?? 0),
    latency: asked.get('latency') !== '0',
  })
}

// No await at the top level: the preview's file imports from the one that holds this, and would wait for it forever.
async function start(): Promise<void> {
  const [chosen, router] = await Promise.all([chooseLink(), makeRouter()])
  setLink(chosen)
  const root = document.getElementById('root')
  if (!root) throw new Error('the page has no root')
  createRoot(root).render(<RouterProvider router={router} />)
}
void start()

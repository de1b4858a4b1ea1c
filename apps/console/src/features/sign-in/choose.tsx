import { createFileRoute, redirect } from '@tanstack/react-router'
import { RouteNotFound } from '#/shell/RouteError.tsx'
import { safeRedirect } from '#/api/session.ts'
import { transport } from '#/api/transport.ts'

// A server answers this address itself, by its silo; only the preview needs this page.
export const Route = createFileRoute('/login/')({
  validateSearch: (search: Record<string, unknown>): { redirect_uri?: string } =>
    search['redirect_uri'] === undefined ? {} : { redirect_uri: safeRedirect(search['redirect_uri']) },
  beforeLoad: ({ search }) => {
    const preview = transport().preview
    if (preview)
      redirect({
        to: '/login/$silo/local',
        params: { silo: preview.silo },
        search,
        replace: true,
        throw: true,
      })
  },
  component: RouteNotFound,
})

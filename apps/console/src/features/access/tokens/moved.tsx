import { createFileRoute, redirect } from '@tanstack/react-router'
import { paths } from '#/lib/addresses.ts'

// The former address of the settings of signing in.
export const Route = createFileRoute('/_auth/_silo/access/tokens')({
  beforeLoad: () => redirect({ href: paths.signInSettings, replace: true, throw: true }),
})

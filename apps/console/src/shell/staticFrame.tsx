import { renderToStaticMarkup } from 'react-dom/server'
import { SkeletonShell } from '#/ui/feedback/SkeletonShell.tsx'

/** What the document shows until the first page is rendered. Made when the console is built. */
export const frame = renderToStaticMarkup(<SkeletonShell />)

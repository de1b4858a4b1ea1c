import { renderToStaticMarkup } from 'react-dom/server'
import { SkeletonShell } from '#/ui/feedback/SkeletonShell.tsx'

/** The content of the document until the first page renders. Built with the console. */
export const frame = renderToStaticMarkup(<SkeletonShell />)

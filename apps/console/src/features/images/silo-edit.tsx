import { createFileRoute, redirect } from '@tanstack/react-router'
import { sections } from '#/lib/addresses.ts'

// An address of old: nothing about an image can be edited.
export const Route = createFileRoute('/_auth/_silo/_images/images/$image/edit')({
  beforeLoad: ({ params }) =>
    redirect({ href: sections.siloImage.view({ name: params.image }), replace: true, throw: true }),
})

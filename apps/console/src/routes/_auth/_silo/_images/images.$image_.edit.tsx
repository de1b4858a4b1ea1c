import { createFileRoute, redirect } from '@tanstack/react-router'
import { paths } from '../../../../paths.ts'

// An address of old: nothing about an image can be edited.
export const Route = createFileRoute('/_auth/_silo/_images/images/$image_/edit')({
  beforeLoad: ({ params }) => redirect({ href: paths.siloImage(params.image), replace: true, throw: true }),
})

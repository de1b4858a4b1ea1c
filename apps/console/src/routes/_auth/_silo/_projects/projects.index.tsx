import { createFileRoute } from '@tanstack/react-router'

// The list itself is the layout around this and the forms.
export const Route = createFileRoute('/_auth/_silo/_projects/projects/')({ component: () => null })

import { createFileRoute } from '@tanstack/react-router'
import { leadToInstance } from './lookup.ts'

export const Route = createFileRoute('/_auth/_silo/lookup/i/$instance')({ loader: leadToInstance })

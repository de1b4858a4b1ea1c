import { createFileRoute } from '@tanstack/react-router'
import { load } from '#/api/query.ts'
import { emptyDraft } from './draft.ts'
import { Editor } from './Editor.tsx'
import { offers } from './queries.ts'

export const Route = createFileRoute('/_auth/system/networking/_network/port-settings-new')({
  loader: () => Promise.all(offers.map((offer) => load<unknown>(offer))),
  staticData: { crumb: { label: 'New port settings' } },
  component: () => <Editor draft={emptyDraft} />,
})

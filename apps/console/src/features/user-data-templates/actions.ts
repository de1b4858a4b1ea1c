import { sections } from '#/lib/addresses.ts'
import { cloneAction, plainActions } from '#/resource/actions/actions.tsx'
import { kinds } from '#/resource/kinds.ts'

/** Actions on a template of user data. */
export const templateActions = (project: string) =>
  plainActions(kinds.userDataTemplate, project, {
    own: [cloneAction(({ name }) => sections.userDataTemplate.clone({ project, name }))],
  })

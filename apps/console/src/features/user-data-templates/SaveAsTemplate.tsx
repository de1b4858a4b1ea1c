import { CreateForm } from '#/resource/form/CreateForm.tsx'
import { kinds } from '#/resource/kinds.ts'
import { bodyOf, emptyValues } from './template.ts'
import { TemplateControls } from './TemplateControls.tsx'

export interface SaveAsTemplateProps {
  project: string
  /** The user data that was typed. */
  text: string
  onClose: () => void
}

/** Keeps typed user data as a template, over the form that it was typed in. */
export const SaveAsTemplate = ({ project, text, onClose }: SaveAsTemplateProps) => (
  <CreateForm
    animate
    keepsDraft={false}
    kind={kinds.userDataTemplate}
    scope={{ project }}
    title="Save as template"
    submitLabel="Create user data template"
    values={emptyValues(text)}
    toBody={bodyOf}
    onCreated={onClose}
    onDismiss={onClose}
    note={
      <p className="text-secondary">
        All who can see the project can read the text. Put a field in the place of each secret.
      </p>
    }
  >
    {(form) => <TemplateControls form={form} />}
  </CreateForm>
)

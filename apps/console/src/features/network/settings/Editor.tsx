import {
  networkingSwitchPortSettingsCreate,
  SwitchPortSettingsCreate,
} from '@purlin/contract/operations/networking/port-settings'
import { portGeometries } from '@purlin/contract/rules/networking'
import { keysOf } from '@purlin/contract/rules/keys'
import { decode, encodeIn } from '@purlin/contract/wire'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useForm, useWatch, type UseFormReturn } from 'react-hook-form'
import { requestTo, sendRequest } from '#/api/request.ts'
import { sections } from '#/lib/addresses.ts'
import { copyWithToast } from '#/resource/actions/copyWithToast.ts'
import { showDoneToast } from '#/resource/actions/toasts.tsx'
import { notSent } from '#/resource/form/drafts/useDraft.tsx'
import { FullPageForm } from '#/resource/form/FullPageForm.tsx'
import { ModalForm } from '#/resource/form/ModalForm.tsx'
import { useLoaded } from '#/resource/form/useLoaded.ts'
import { reload, roleScope } from '#/resource/kind.ts'
import { useRole } from '#/resource/role/useRole.ts'
import { Button } from '#/ui/button/Button.tsx'
import { DescriptionControl } from '#/ui/form/DescriptionControl.tsx'
import { NameControl } from '#/ui/form/NameControl.tsx'
import { RadioGroupControl } from '#/ui/form/RadioGroupControl.tsx'
import { TextAreaControl } from '#/ui/form/TextAreaControl.tsx'
import { PageHeader } from '#/ui/layout/PageHeader.tsx'
import { configsQuery } from '../bgp/queries.ts'
import { ReviewChange, type Within } from '#/features/hardware/change/ReviewChange.tsx'
import { bodyOf, draftOf, type Draft } from './draft.ts'
import { lotsQuery } from '../kinds.ts'
import { portSettings } from './queries.ts'
import { Rows } from './Rows.tsx'
import { rowTables } from './rows.ts'

const { icon: Icon } = portSettings
const geometryWords = { qsfp28x1: '1 × QSFP28', qsfp28x2: '2 × QSFP28', sfp28x4: '4 × SFP28' }

interface Props {
  draft: Draft
  /** Settings with this name are replaced. */
  isKnown?: boolean
}

/** The form of port settings on a page: a table for each of their parts, and the whole as JSON. */
export function Editor({ draft, isKnown = false }: Props) {
  const navigate = useNavigate()
  const form = useForm<Draft>({ defaultValues: draft, shouldFocusError: false })
  const { lacks } = useRole(...roleScope(portSettings, {}))
  const leave = () =>
    navigate({
      href: isKnown
        ? sections.switchPortSettings.view({ name: draft.name })
        : sections.switchPortSettings.list(),
      ignoreBlocker: true,
    })
  const [reviewed, setReviewed] = useState<Draft>()
  const request = (filled: Draft, query: Within = {}) =>
    requestTo(networkingSwitchPortSettingsCreate, { query, body: bodyOf(filled) })
  const saved = async (filled: Draft) => {
    await reload(portSettings)
    showDoneToast('Port settings', filled.name, isKnown ? 'updated' : 'created')
    await navigate({ href: sections.switchPortSettings.view({ name: filled.name }), ignoreBlocker: true })
  }
  const title = isKnown ? `Edit ${draft.name}` : 'Create port settings'
  return (
    <>
      <PageHeader icon={<Icon />} title={title}>
        <Json form={form} />
      </PageHeader>
      <FullPageForm
        form={form}
        submitLabel={isKnown ? 'Update port settings' : 'Create port settings'}
        onSubmit={async (filled) => {
          // New settings are on no port.
          if (isKnown) {
            setReviewed(filled)
            return notSent
          }
          await sendRequest(request(filled))
          await saved(filled)
        }}
        request={(filled) => request(filled)}
        onCancel={() => void leave()}
        submitDisabledReason={lacks('admin')}
        draft={isKnown ? { form: 'portSettings', isChange: true } : 'portSettings'}
        fields={{ name: 'Name', description: 'Description' }}
      >
        <div className="flex max-w-[44rem] flex-col gap-6">
          {!isKnown && <NameControl name="name" control={form.control} />}
          <DescriptionControl name="description" control={form.control} />
          <RadioGroupControl
            name="geometry"
            label="Geometry"
            control={form.control}
            required
            direction="row"
            options={portGeometries.map((value) => ({ value, label: geometryWords[value] }))}
          />
          <Tables form={form} />
        </div>
      </FullPageForm>
      {reviewed && (
        <ReviewChange
          title="Update port settings?"
          change={{ type: 'port_settings', settings: bodyOf(reviewed) }}
          request={(within) => request(reviewed, within)}
          onApplied={() => saved(reviewed)}
          onDismiss={() => setReviewed(undefined)}
        />
      )}
    </>
  )
}

function Tables({ form: { control } }: { form: UseFormReturn<Draft> }) {
  const choices = (rows: readonly { name: string; description?: string }[]) =>
    rows.map(({ name, description }) => ({ value: name, label: name, description }))
  const links = useWatch({ control, name: 'links' }).map((row) => String(row['linkName']))
  const offered = {
    links: links.map((value) => ({ value, label: value })),
    lots: choices(useLoaded(lotsQuery)),
    configs: choices(useLoaded(configsQuery)),
  }
  return keysOf(rowTables).map((name) => <Rows key={name} name={name} control={control} offered={offered} />)
}

/** Copies the form as the JSON of the request, and fills it from such JSON. */
function Json({ form }: { form: UseFormReturn<Draft> }) {
  const [isPasting, setPasting] = useState(false)
  const copy = () =>
    copyWithToast(
      JSON.stringify(encodeIn(SwitchPortSettingsCreate, bodyOf(form.getValues())), null, 2),
      'Port settings',
    )
  return (
    <>
      <Button onClick={() => void copy()}>Copy JSON</Button>
      <Button onClick={() => setPasting(true)}>Paste JSON</Button>
      {isPasting && <PasteJson form={form} onDismiss={() => setPasting(false)} />}
    </>
  )
}

function readDraft(json: string): Draft | string {
  let wire: unknown
  try {
    wire = JSON.parse(json)
  } catch (error) {
    return `This is no JSON: ${error instanceof Error ? error.message : String(error)}`
  }
  try {
    return draftOf(decode(SwitchPortSettingsCreate, wire))
  } catch {
    return 'These are no port settings: name, port_config, links and addresses are needed'
  }
}

function PasteJson({ form, onDismiss }: { form: UseFormReturn<Draft>; onDismiss: () => void }) {
  const paste = useForm({ defaultValues: { json: '' } })
  const fill = ({ json }: { json: string }) => {
    const draft = readDraft(json)
    if (typeof draft !== 'string') {
      // Settings that exist keep their name.
      const { name } = form.getValues()
      form.reset({ ...draft, name: name || draft.name }, { keepDefaultValues: true })
    }
    onDismiss()
    return Promise.resolve()
  }
  return (
    <ModalForm
      title="Paste JSON"
      submitLabel="Fill the form"
      form={paste}
      onSubmit={fill}
      request={null}
      onDismiss={onDismiss}
    >
      <TextAreaControl
        name="json"
        label="Port settings"
        control={paste.control}
        required
        rows={12}
        hint="As the API takes them. The form is checked before anything is saved."
        validate={(json) => {
          const draft = readDraft(json)
          return typeof draft === 'string' ? draft : undefined
        }}
      />
    </ModalForm>
  )
}

import { NoDocument } from '@purlin/contract/commands/documents'
import { commandText, documentText, quoted, requestText, wireArgs } from '@purlin/contract/commands/text'
import { operations, type OperationName } from '@purlin/contract/operations'
import type { OpShape } from '@purlin/contract/op'
import { useId, type ReactNode } from 'react'
import type { ShownRequest } from '#/api/request.ts'
import { Button } from '#/ui/button/Button.tsx'
import { CopyButton } from '#/ui/button/CopyButton.tsx'
import { CopyText } from '#/ui/overlay/CopyModal.tsx'
import { Modal, ModalSection } from '#/ui/overlay/Modal.tsx'

interface Props {
  requests: readonly ShownRequest[]
  /** The action whose requests these are, if no form or question is open. */
  of?: string
  /** Chooses the action. */
  children?: ReactNode
  onDismiss: () => void
}

/** Requests as commands, as messages of HTTP, and as a document. */
export function CommandDialog({ requests, of, children, onDismiss }: Props) {
  const texts = requests.map(textsOf)
  const messages = texts.flatMap(({ http }) => http ?? [])
  const document = documentFor(requests)
  const notes = texts.flatMap(({ note }) => note ?? [])
  return (
    <Modal
      title="View as command"
      width="free"
      onDismiss={onDismiss}
      footer={<Button onClick={onDismiss}>Close</Button>}
    >
      <ModalSection>
        {children}
        <p>
          {of === undefined
            ? 'Each does what you are about to do here, with what is filled in now.'
            : `Each does the same as '${of}', with the present state.`}
          {requests.length > 1 && ` It takes ${requests.length} requests, one after the other.`}
          {notes.map((note) => ` ${note}`)}
        </p>
        <Text title="Command line" copies="command" text={texts.map(({ command }) => command).join('\n')} />
        {messages.length > 0 && <Text title="HTTP request" copies="request" text={messages.join('\n\n')} />}
        {'text' in document ? (
          <Text title="Document for purlin apply" copies="document" text={document.text} />
        ) : (
          <p className="text-secondary">{document.none}</p>
        )}
      </ModalSection>
    </Modal>
  )
}

function Text({ title, copies, text }: { title: string; copies: string; text: string }) {
  const id = useId()
  return (
    <div>
      <div className="mb-1.5 flex items-center gap-2">
        <h3 id={id} className="label-mono">
          {title}
        </h3>
        <CopyButton text={text} label={`Copy ${copies}`} />
      </div>
      <CopyText label={{ id }} text={text} className="max-h-72 w-full min-w-[min(32rem,80vw)]" />
    </div>
  )
}

interface Texts {
  command: string
  http?: string
  note?: string | undefined
}

/** The texts of a request. A procedure has no message. */
function textsOf(request: ShownRequest): Texts {
  const { note } = request
  if ('words' in request) return { command: ['purlin', ...request.words].map(quoted).join(' '), note }
  const name = nameOf(request.op)
  const wire = wireArgs(name, request.args as never)
  return { command: commandText(name, wire), http: requestText(name, wire, window.location.host), note }
}

/** The document of a request, or why there is none. */
function documentFor(requests: readonly ShownRequest[]): { text: string } | { none: string } {
  const [request] = requests
  if (!request || requests.length > 1 || 'words' in request)
    return { none: 'There is no document for several requests: use the command.' }
  const name = nameOf(request.op)
  const { args, changes, names } = request
  const documented = changes ? { ...(args as object), body: changes } : args
  try {
    return { text: documentText(name, wireArgs(name, documented as never), names) }
  } catch (error) {
    if (error instanceof NoDocument) return { none: error.message }
    throw error
  }
}

function nameOf(op: OpShape): OperationName {
  const names = Object.keys(operations) as OperationName[]
  const name = names.find((one) => operations[one] === op)
  if (!name) throw new Error(`${op.method} ${op.path} is not an operation`)
  return name
}

import { commandText, requestText, wireArgs } from '@purlin/contract/commands/text'
import { operations, type OperationName } from '@purlin/contract/operations'
import type { OpShape } from '@purlin/contract/op'
import { useId } from 'react'
import type { ApiRequest } from '#/api/request.ts'
import { Button } from '#/ui/button/Button.tsx'
import { CopyButton } from '#/ui/button/CopyButton.tsx'
import { Modal, ModalSection } from '#/ui/overlay/Modal.tsx'

/** A request as a command and as a message of HTTP. */
export function CommandDialog({ request, onDismiss }: { request: ApiRequest; onDismiss: () => void }) {
  const { command, http } = textsOf(request)
  return (
    <Modal
      title="View as command"
      width="free"
      onDismiss={onDismiss}
      footer={<Button onClick={onDismiss}>Close</Button>}
    >
      <ModalSection>
        <p>Each does what you are about to do here, with what is filled in now.</p>
        <Text title="Command line" text={command} />
        <Text title="HTTP request" text={http} />
      </ModalSection>
    </Modal>
  )
}

function Text({ title, text }: { title: string; text: string }) {
  const id = useId()
  return (
    <div>
      <div className="mb-1.5 flex items-center gap-2">
        <h3 id={id} className="label-mono">
          {title}
        </h3>
        <CopyButton text={text} label={`Copy ${title === 'Command line' ? 'command' : 'request'}`} />
      </div>
      <textarea
        readOnly
        aria-labelledby={id}
        rows={2}
        value={text}
        spellCheck={false}
        onFocus={(event) => event.currentTarget.select()}
        className="control-box mono block max-h-72 w-full min-w-[min(32rem,80vw)] resize-none px-3 py-2.5 leading-relaxed [field-sizing:content]"
      />
    </div>
  )
}

/** The texts of a request. */
export function textsOf({ op, args }: ApiRequest): { command: string; http: string } {
  const name = nameOf(op)
  const wire = wireArgs(name, args as never)
  return { command: commandText(name, wire), http: requestText(name, wire, window.location.host) }
}

function nameOf(op: OpShape): OperationName {
  const names = Object.keys(operations) as OperationName[]
  const name = names.find((one) => operations[one] === op)
  if (!name) throw new Error(`${op.method} ${op.path} is not an operation`)
  return name
}

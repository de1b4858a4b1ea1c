import Plus from 'lucide-react/icons/plus'
import Trash from 'lucide-react/icons/trash-2'
import { Badge } from '#/ui/value/Badge.tsx'
import { Button } from '#/ui/button/Button.tsx'
import { CopyButton } from '#/ui/button/CopyButton.tsx'
import { DocsPopover } from '#/ui/overlay/DocsPopover.tsx'
import { IconButton } from '#/ui/button/IconButton.tsx'
import { Kbd } from '#/ui/value/Kbd.tsx'
import { LinkButton } from '#/ui/button/LinkButton.tsx'
import { MenuButton } from '#/ui/overlay/MenuButton.tsx'
import { PageHeader } from '#/ui/layout/PageHeader.tsx'
import { RefreshButton } from '#/ui/button/RefreshButton.tsx'
import { RowMenu } from '#/ui/overlay/RowMenu.tsx'
import { Spinner } from '#/ui/feedback/Spinner.tsx'
import { TipIcon } from '#/ui/overlay/TipIcon.tsx'
import { Specimen } from './Specimen.tsx'

const variants = ['primary', 'secondary', 'danger', 'ghost'] as const
const noop = () => undefined

export function Actions() {
  return (
    <>
      <PageHeader icon={<Plus />} title="Buttons and menus" aside="48">
        <DocsPopover
          topic="instances"
          summary="An instance is a virtual machine that runs on one of the sleds."
          links={[
            { label: 'Instances', href: 'https://example.org/i' },
            { label: 'Key Concepts', href: 'https://example.org/k' },
          ]}
        />
        <RefreshButton onRefresh={() => new Promise((done) => setTimeout(done, 900))} />
        <Button variant="primary">New instance</Button>
      </PageHeader>
      {variants.map((variant) => (
        <Specimen key={variant} title={`Button, ${variant}`}>
          <Button variant={variant}>Create disk</Button>
          <Button variant={variant} icon={<Plus size={14} />}>
            With icon
          </Button>
          <Button variant={variant} pending>
            Create disk
          </Button>
          <Button variant={variant} disabledReason="The instance must be stopped first">
            Not now
          </Button>
          <Button variant={variant} size="small">
            Small
          </Button>
          <Button variant={variant} size="small" pending>
            Small
          </Button>
          <Button variant={variant} size="small" disabledReason="Only an admin of the silo may do this">
            Small
          </Button>
        </Specimen>
      ))}
      <Specimen title="Links, icons, small things">
        <LinkButton href="#tables">A link</LinkButton>
        <LinkButton href="#tables" variant="primary">
          New project
        </LinkButton>
        <IconButton label="Delete">
          <Trash size={15} />
        </IconButton>
        <CopyButton text="935499b3-0000-4000-8000-5c1e" />
        <TipIcon>Explains its label in a sentence.</TipIcon>
        <Spinner />
        <Kbd>⌘K</Kbd>
      </Specimen>
      <Specimen title="Badges">
        <Badge tone="ok" dot>
          running
        </Badge>
        <Badge tone="busy" dot>
          starting
        </Badge>
        <Badge tone="danger" dot>
          failed
        </Badge>
        <Badge tone="idle" dot>
          stopped
        </Badge>
        <Badge tone="note" dot>
          migrating
        </Badge>
        <Badge>default</Badge>
        <Badge tone="accent">admin</Badge>
      </Specimen>
      <Specimen title="Menus">
        <MenuButton
          sections={[
            {
              items: [
                { label: 'Start', onAction: noop, disabledReason: 'Only a stopped instance can be started' },
                { label: 'Stop', onAction: noop },
              ],
            },
            { title: 'Go to', items: [{ label: 'Disks', href: '#fields' }] },
            { items: [{ label: 'Delete', onAction: noop, danger: true }] },
          ]}
        >
          Actions
        </MenuButton>
        <RowMenu
          items={[
            { label: 'Copy ID', onAction: noop },
            { label: 'Edit', href: '#fields' },
            { label: 'Delete', onAction: noop },
          ]}
        />
      </Specimen>
    </>
  )
}

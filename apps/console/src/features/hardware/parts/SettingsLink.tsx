import { useQuery } from '@tanstack/react-query'
import { sections } from '#/lib/addresses.ts'
import { shorten } from '#/lib/text.ts'
import { TextLink } from '#/ui/button/link.tsx'
import { Skeleton } from '#/ui/feedback/Skeleton.tsx'
import { portSettingsQuery } from '../switches/ports.ts'

/** The name of the settings of a port, as a link to them; their id where the name cannot be read. */
export function SettingsLink({ id }: { id: string }) {
  const { data, isPending } = useQuery({ ...portSettingsQuery(), throwOnError: false })
  if (isPending) return <Skeleton className="h-2.5 w-24" />
  const name = data?.find((one) => one.id === id)?.name
  return (
    <TextLink href={sections.switchPortSettings.view({ name: name ?? id })}>
      {name ?? shorten(id, 14, 'middle')}
    </TextLink>
  )
}

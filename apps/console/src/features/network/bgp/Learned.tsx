import {
  networkingBgpImportedRoutesIpv4,
  networkingBgpMessageHistory,
} from '@purlin/contract/operations/networking/bgp'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { errorMessage } from '#/api/errors.ts'
import { query, type Read } from '#/api/query.ts'
import { Button } from '#/ui/button/Button.tsx'
import { Skeleton } from '#/ui/feedback/Skeleton.tsx'
import { Modal, ModalSection } from '#/ui/overlay/Modal.tsx'
import { Table } from '#/ui/table/Table.tsx'
import { DateTime } from '#/ui/value/DateTime.tsx'
import { liveMs } from '../words.ts'
import { messageOf } from './message.ts'
import type { BgpConfig } from './queries.ts'

interface Props {
  config: BgpConfig
  onDismiss: () => void
}

/** The networks that the peers of an autonomous system announce. */
export const ImportedRoutes = ({ config: { name, asn }, onDismiss }: Props) => (
  <Live
    title={`Routes of ${name}`}
    read={query(networkingBgpImportedRoutesIpv4, { query: { asn } })}
    none="No peer announces a network."
    rowsOf={(routes) => routes.map((one) => [one.prefix, one.nexthop, one.switch])}
    headers={['network', 'next hop', 'switch']}
    onDismiss={onDismiss}
  />
)

/** The latest messages between the switches and their peers. */
export const Messages = ({ config: { name, asn }, onDismiss }: Props) => (
  <Live
    title={`Messages of ${name}`}
    read={query(networkingBgpMessageHistory, { query: { asn } })}
    none="No messages yet."
    rowsOf={({ switchHistories }) =>
      switchHistories
        .flatMap((of) =>
          Object.entries(of.history).flatMap(([peer, messages]) =>
            [messages].flat().map((message) => ({ of: of.switch, peer, ...messageOf(message) })),
          ),
        )
        // The newest first.
        .toSorted((a, b) => (b.time?.getTime() ?? 0) - (a.time?.getTime() ?? 0))
        .map(({ of, peer, time, ...message }) => [
          time ? <DateTime key="time" date={time} seconds /> : '',
          of,
          peer,
          <MessageText key="message" {...message} />,
        ])
    }
    headers={['time', 'switch', 'peer', 'message']}
    onDismiss={onDismiss}
  />
)

type MessageTextProps = Omit<ReturnType<typeof messageOf>, 'time'>

/** The words of a message, with all that the switch reports as a detail. */
const MessageText = ({ direction, type, detail, raw }: MessageTextProps) => (
  <>
    <span className="block">
      <span className="font-medium">{[direction, type].join(' ').trim() || 'Message'}</span>
      {detail !== '' && <span className="mono block">{detail}</span>}
    </span>
    <details>
      <summary className="text-secondary">As reported</summary>
      <pre className="mono whitespace-pre-wrap">{raw}</pre>
    </details>
  </>
)

interface LiveProps<T> {
  title: string
  read: Read<T>
  none: string
  headers: readonly string[]
  rowsOf: (data: T) => readonly (readonly ReactNode[])[]
  onDismiss: () => void
}

interface Row {
  key: string
  cells: readonly ReactNode[]
}

/** A table in a dialog that is read again while it is open. */
function Live<T>({ title, read, none, headers, rowsOf, onDismiss }: LiveProps<T>) {
  const { data, error } = useQuery({ ...read, refetchInterval: liveMs, throwOnError: false })
  const rows = data === undefined ? undefined : rowsOf(data)
  let content: ReactNode
  if (rows === undefined) content = error ? errorMessage(error) : <Skeleton className="h-2.5 w-40" />
  else if (rows.length === 0) content = none
  else
    content = (
      <Table
        label={title}
        columns={headers.map((header, i) => ({
          id: header,
          header,
          mono: header !== 'message',
          isRowHeader: i === 0,
          cell: ({ cells: row }: Row) => <span className="wrap-anywhere whitespace-normal">{row[i]}</span>,
        }))}
        rows={rows.map((cells, i) => ({ cells, key: String(rows.length - i) }))}
        rowKey={({ key }) => key}
      />
    )
  return (
    <Modal
      title={title}
      width="free"
      onDismiss={onDismiss}
      footer={<Button onClick={onDismiss}>Close</Button>}
    >
      <ModalSection className="text-ink">{content}</ModalSection>
    </Modal>
  )
}

/** Hosts that join the fleet. */
import type { Pair } from '@purlin/contract/rules/credentials/certificate-checks'

/** Makes and signs the certificates of a fleet. */
export interface FleetAuthority {
  /** Makes an authority with a new key. */
  make(): Promise<Pair>
  /** The certificate of a host for its public key (SPKI in PEM); undefined if the key cannot be used. */
  certify(by: Pair, host: { id: string; publicKey: string }): Promise<string | undefined>
  /** SHA-256 of a certificate, lower-case hex. Throws for what is none. */
  fingerprint(cert: string): Promise<string>
}

/** A host, and where it listens. */
export interface Host {
  id: string
  address: string
  port: number
}

/** A host that has joined. */
export interface JoinedHost extends Host {
  /** It was deleted: it only says which sleds it has, and drops them. */
  isForgotten?: boolean
}

/** The hosts that have joined. */
export interface JoinedHosts {
  authority: Pair
  hosts: readonly JoinedHost[]
  /** The host of each sled and switch that was reported before; null for the one inside of the server. */
  places: ReadonlyMap<string, string | null>
  /** The ids of the sleds whose machines are simulated: guests write to no layers. */
  simulated: ReadonlySet<string>
}

/** The facts of an X.509 certificate (RFC 5280) about its key. */
import type { PublicKeyFacts } from '@purlin/contract/rules/credentials/certificate-checks'
import { AsnConvert } from '@peculiar/asn1-schema'
import { Certificate, id_ce_keyUsage, KeyUsage, KeyUsageFlags } from '@peculiar/asn1-x509'
import { algorithmOf } from './keys.ts'

/** Of the bytes of a certificate. Throws for what is not one. */
export const readPublicKey = (der: Uint8Array): PublicKeyFacts =>
  publicKeyFactsOf(AsnConvert.parse(der, Certificate))

export function publicKeyFactsOf({ tbsCertificate }: Certificate): PublicKeyFacts {
  const { subjectPublicKeyInfo, extensions = [] } = tbsCertificate
  const usage = [...extensions].find(({ extnID }) => extnID === id_ce_keyUsage)?.extnValue
  const signs =
    !usage || (AsnConvert.parse(usage, KeyUsage).toNumber() & KeyUsageFlags.digitalSignature) !== 0
  return { ...algorithmOf(subjectPublicKeyInfo.algorithm), signs }
}

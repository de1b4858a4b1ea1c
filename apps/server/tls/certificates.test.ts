import { certificatesSuite } from '@purlin/x509/suite'
import { systemCertificates } from './certificates.ts'

certificatesSuite('OpenSSL', systemCertificates)

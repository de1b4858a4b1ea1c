import { webCertificates } from './x509.ts'
import { certificatesSuite } from './suite.ts'

certificatesSuite('WebCrypto', webCertificates)

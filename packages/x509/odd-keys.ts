/** Keys of tests, in PEM, that WebCrypto does not make. */
const ecKey = (base64: string) => `-----BEGIN PRIVATE KEY-----\n${base64}\n-----END PRIVATE KEY-----\n`

/** EC keys by their curve; `explicit` is one of P-256 that spells out the parameters of the curve. */
export const oddKeys = {
  secp256k1: ecKey(
    'MIGEAgEAMBAGByqGSM49AgEGBSuBBAAKBG0wawIBAQQg4caaiZSGTwV0bCfPxp2rDb64u+lEkEDt2o7bcwk/OimhRANCAATc' +
      'zzxoGQHo2S93CZwg9Ca82dmGMTtrI/fCsVAcFf4U6XqUPuDOeNmEZ6txXL+CZ/NhHw6tGFyQnEceJl3C24V3',
  ),
  brainpoolP256r1: ecKey(
    'MIGIAgEAMBQGByqGSM49AgEGCSskAwMCCAEBBwRtMGsCAQEEIHjgMaQ44Z75ssD+1iJ80cJtgUEBJ8GdqKCXHoLh8k+YoUQD' +
      'QgAEAtqo3uJB4TXuqg0p0V7TjDI6yFjx6lHuVjTG4t0qmzceIvBkavodl//VUtCzBHYJhqSrDwwvjWOpV/ZM/hnfqg==',
  ),
  'P-224': ecKey(
    'MHgCAQAwEAYHKoZIzj0CAQYFK4EEACEEYTBfAgEBBBx5KqctZPy8FTmeEBy/4FT6ZW3sixdq05O+Nv1AoTwDOgAEU79zLtUs' +
      'kQ4CYmRVSw0KjisPWbpJhIa6oU1vHqnhjCkjUUnAwXTRAOuSlciaOs7rUzny0ysaWok=',
  ),
  explicit: ecKey(
    'MIIBeQIBADCCAQMGByqGSM49AgEwgfcCAQEwLAYHKoZIzj0BAQIhAP////8AAAABAAAAAAAAAAAAAAAA////////////////' +
      'MFsEIP////8AAAABAAAAAAAAAAAAAAAA///////////////8BCBaxjXYqjqT57PrvVV2mIa8ZR0GsMxTsPY7zjw+J9JgSwMV' +
      'AMSdNgiG5wSTamZ44ROdJreBn36QBEEEaxfR8uEsQkf4vOblY6RA8ncDfYEt6zOg9KE5RdiYwpZP40Li/hp/m47n60p8D54W' +
      'K84zV2sxXs7LtkBoN79R9QIhAP////8AAAAA//////////+85vqtpxeehPO5ysL8YyVRAgEBBG0wawIBAQQgGaQO26No1euN' +
      'lHv4Ozuxnrgrn6qBuDuL3c3mRUCpQx6hRANCAASzBWOsafyl4j9OgM58Zqh+FCiIaZ2gfhqM+yqiL68rXSO7EfJzBj8oJnS8' +
      'nfVj8qmMxOtBBLbNUjDbkHeTKo6s',
  ),
}

/** Sentences about sign-in and second factors, as `operations.ts` has those of others. */

const byCookie = 'The cookie of the sign-in says whose it is.'
const recently = 'The sign-in of the session must be at most 15 minutes ago.'

export const secondFactors = {
  loginLocal:
    'Sign in with a username and password. The answer sets the cookie of the new session. A user who needs a second factor gets 401 with the code `SecondFactorNeeded` and a cookie for the next step.',
  loginSecondFactorView: `Show the next step of a sign-in after the password. ${byCookie}`,
  loginSecondFactor: `Complete a sign-in with a second factor or a recovery code. Each code counts once. ${byCookie}`,
  loginSecondFactorBegin: `Begin to add the second factor that the silo requires. ${byCookie}`,
  loginSecondFactorConfirm: `Add the second factor that the silo requires, and sign in. The answer has the recovery codes, which are shown only once. ${byCookie}`,
  currentUserSecondFactorBegin: `Begin to add a second factor: a secret for an app with one-time codes (RFC 6238), or a question to an authenticator (Web Authentication). ${recently}`,
  currentUserSecondFactorConfirm: `Add the second factor that was begun, with a proof that it works. With the first one, the answer has recovery codes, which are shown only once. ${recently}`,
  currentUserSecondFactorDelete: `Delete a second factor of the signed-in user. The last one stays if the silo requires one. ${recently}`,
  currentUserRecoveryCodesView: 'Show how many recovery codes are left.',
  currentUserRecoveryCodesReplace: `Replace the recovery codes. The answer has the new ones, which are shown only once; the former ones are void. ${recently}`,
  localIdpUserResetSecondFactor:
    'Delete all second factors and recovery codes of a local user, who then signs in with the password alone, or adds a new factor if the silo requires one.',
}

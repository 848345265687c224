// SPDX-License-Identifier: Apache-2.0

package import PasskeyCommandLine
internal import PasskeyFormats
internal import PasskeyProfiles
package import WebAuthnClient
internal import WebAuthnTypes

/// A ceremony that runs before the user is signed in.
package enum CeremonyKind {
  case registration
  case signIn
  case mail
}

extension CommandFailure {
  /// Adds a hint about the likely cause if the server, as it should, does not explain a refusal.
  package func hinting(at problem: Problem?, of ceremony: CeremonyKind, _ options: ServerOptions) -> Self {
    // Such a ceremony needs no session.
    if hint == Self.signInHint { return hinting(nil).hinting(at: problem, of: ceremony, options) }
    guard hint == nil, let problem else { return self }
    let isRefused = problem.code?.hasSuffix(".refused") == true
    switch (problem.status, problem.code, ceremony) {
    case (404, nil, _), (405, nil, _), (_, "http.not-found"?, _), (_, "http.method-not-allowed"?, _):
      return hinting(
        "check that \(options.profile.name.escapedForTerminal) is the server's profile (--profile)")
    // Servers of others may refuse an origin without a code.
    case (_, "service.origin-mismatch"?, _), (401, nil, _), (403, nil, _):
      return hinting("the page's origin was \(options.origin.text): set another one with --origin")
    case (_, "sign-in.email-unverified"?, .signIn):
      return hinting("finish with passkey email verify, which asks for the code from the mail; then sign in again")
    case (_, "sign-up.code-too-early"?, _):
      return hinting(problem.notBefore.map { "the code is valid from \($0)" } ?? "try again later")
    case (_, _, .signIn) where problem.unknownCredential != nil:
      let id = problem.unknownCredential.map { " \(String($0.prefix(10)).escapedForTerminal)" } ?? ""
      return hinting("the server does not know this passkey: delete it with passkey keys delete\(id)")
    case (_, "sign-up.invitation-required"?, _):
      return hinting("give the code of your invitation with --code or --code-file")
    case (_, _, .registration) where isRefused:
      return hinting(
        "the address may have an account already: sign in, or get a code from passkey recover request or an "
          + "administrator, and register with --code or --code-file")
    case (_, _, .registration)
    where problem.member != nil && problem.member == options.profile[.registerOptions]?.request?.path(of: .code):
      return hinting("write the code on the first line of the file named by --code-file")
    default: return self
    }
  }
}

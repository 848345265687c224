// SPDX-License-Identifier: Apache-2.0

package import PasskeyCrypto
package import PasskeyFormats

/// A server's problem details for a refused request (RFC 9457). Absent members are nil.
public struct Problem: Hashable, Sendable {
  /// The status of the reply.
  public let status: Int

  /// The machine-readable name of the cause.
  public let code: String?

  /// A short description for people.
  public let title: String?

  /// More about this occurrence.
  public let detail: String?

  /// The invalid member of the request's body.
  package let member: String?

  /// The action that has to be confirmed.
  public let stepUp: StepUpDemand?

  /// The passkey that the server does not know, in base64url: the user can delete it.
  package let unknownCredential: String?

  /// The verification of an email address that the refused request began.
  package let verification: BegunVerification?

  /// How many more codes can be tried.
  public let attemptsLeft: Int?

  /// From when a refused code is valid.
  package let notBefore: UnixTime?

  /// The number of seconds to wait before a retry.
  package let retryAfter: Int?

  /// The server's ID of the request, for support and log searches.
  public let requestID: String?

  /// Creates a problem from the members of a reply.
  package init(
    status: Int, code: String?, title: String?, detail: String?, member: String?, stepUp: StepUpDemand?,
    unknownCredential: String?, verification: BegunVerification?, attemptsLeft: Int?, notBefore: UnixTime?,
    retryAfter: Int?, requestID: String?
  ) {
    self.status = status
    self.code = code
    self.title = title
    self.detail = detail
    self.member = member
    self.stepUp = stepUp
    self.unknownCredential = unknownCredential
    self.verification = verification
    self.attemptsLeft = attemptsLeft
    self.notBefore = notBefore
    self.retryAfter = retryAfter
    self.requestID = requestID
  }
}

/// The secret and the expiry of a verification in a problem.
package struct BegunVerification: Hashable, Sendable {
  package let token: SecretBytes
  package let expiry: UnixTime?

  package init(token: SecretBytes, expiry: UnixTime?) {
    self.token = token
    self.expiry = expiry
  }

  /// Hashes everything but the secret.
  package func hash(into hasher: inout Hasher) { hasher.combine(expiry) }
}

extension Problem: CustomStringConvertible {
  /// The code with the detail or title, or else the status.
  public var description: String {
    let words = [code, [title, detail].compactMap { $0 }.first].compactMap { $0 }
    return words.isEmpty ? "status \(status)" : words.joined(separator: ": ")
  }
}

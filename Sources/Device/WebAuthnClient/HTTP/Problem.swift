// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCrypto
package import PasskeyFormats
internal import PasskeyProfiles

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
  let verification: BegunVerification?

  /// How many more codes can be tried.
  public let attemptsLeft: Int?

  /// From when a refused code is valid.
  package let notBefore: UnixTime?

  /// The number of seconds to wait before a retry.
  package let retryAfter: Int?

  /// The server's ID of the request, for support and log searches.
  public let requestID: String?
}

extension Problem {
  /// Reads an error reply, by the shape of the profile where one is known. Missing or malformed members are ignored, so
  /// that any error reply yields a problem. Control characters are removed, so that the text cannot control a terminal.
  init(_ reply: ServerReply, _ shape: Shape? = nil) {
    let object = try? JSON.parse(reply.body[...], maximumSize: ServerRequest.maximumReadByteCount)
    let values = object.flatMap { (object) in try? shape?.withOptionalMembers.read(object) } ?? ShapeValues()
    func text(_ variable: ShapeVariable?, _ names: String...) -> String? {
      let found = variable.flatMap { values.text($0) }
      return (found ?? names.lazy.compactMap { (name) in try? object?[name]?.string }.first).map(Self.shown)
    }
    status = reply.status
    code = text(.errorCode, "code")
    // Members that frameworks without problem details use.
    title = text(.errorTitle, "title", "error", "message")
    detail = text(nil, "detail", "error_description")
    member = text(.errorMember, "member")
    requestID = text(.errorRequestID, "requestId") ?? reply.header("x-request-id").map(Self.shown)
    let demand = values.object(.errorStepUp) ?? (try? object?["stepUp"]).flatMap { $0 }
    stepUp = demand.flatMap { StepUpDemand($0) }
    let signal = values.object(.errorSignal) ?? (try? object?["signal"]).flatMap { $0 }
    unknownCredential = (try? signal?["credentialId"]?.string).map(Self.shown)
    verification = values.secret(.errorVerificationToken).map {
      BegunVerification(token: $0, expiry: values.time(.errorVerificationExpiry))
    }
    attemptsLeft = values.integer(.errorAttemptsLeft).map { Int(clamping: $0) }
    notBefore = values.time(.errorNotBefore)
    retryAfter = reply.header("retry-after").flatMap { Int($0) }.flatMap { $0 >= 0 ? $0 : nil }
  }

  // 500 characters [enough for an error message]
  private static let maximumLength = 500

  private static func shown(_ text: String) -> String {
    let scalars = text.unicodeScalars.prefix(maximumLength).filter(\.isSafeForTerminal)
    return String(String.UnicodeScalarView(scalars))
  }
}

/// The secret and the expiry of a verification in a problem.
struct BegunVerification: Hashable, Sendable {
  let token: SecretBytes
  let expiry: UnixTime?

  /// Hashes everything but the secret.
  func hash(into hasher: inout Hasher) { hasher.combine(expiry) }
}

extension Problem: CustomStringConvertible {
  /// The code with the detail or title, or else the status.
  public var description: String {
    let words = [code, [title, detail].compactMap { $0 }.first].compactMap { $0 }
    return words.isEmpty ? "status \(status)" : words.joined(separator: ": ")
  }
}

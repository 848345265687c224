// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats
internal import PasskeyProfiles
internal import WebAuthnBrowser

extension Problem {
  /// Reads an error reply, by the shape of the profile where one is known. Missing or malformed members are ignored, so
  /// that any error reply yields a problem. Control characters are removed, so that the text cannot control a terminal.
  init(_ reply: ServerReply, _ shape: Shape? = nil) {
    let object = try? JSON.parse(reply.body, maximumSize: ServerRequest.maximumReadByteCount)
    let values = object.flatMap { (object) in try? shape?.withOptionalMembers.read(object) } ?? ShapeValues()
    func text(_ variable: ShapeVariable?, _ names: String...) -> String? {
      let found = variable.flatMap { values.text($0) }
      return (found ?? names.lazy.compactMap { (name) in try? object?[name]?.string }.first).map(Self.shown)
    }
    let demand = values.object(.errorStepUp) ?? (try? object?["stepUp"]).flatMap { $0 }
    let signal = values.object(.errorSignal) ?? (try? object?["signal"]).flatMap { $0 }
    self.init(
      status: reply.status, code: text(.errorCode, "code"),
      // Members that frameworks without problem details use.
      title: text(.errorTitle, "title", "error", "message"), detail: text(nil, "detail", "error_description"),
      member: text(.errorMember, "member"), stepUp: demand.flatMap { StepUpDemand($0) },
      unknownCredential: (try? signal?["credentialId"]?.string).map(Self.shown),
      verification: values.secret(.errorVerificationToken).map {
        BegunVerification(token: $0, expiry: values.time(.errorVerificationExpiry))
      },
      attemptsLeft: values.integer(.errorAttemptsLeft).map { Int(clamping: $0) },
      notBefore: values.time(.errorNotBefore),
      retryAfter: reply.header("retry-after").flatMap { Int($0) }.flatMap { $0 >= 0 ? $0 : nil },
      requestID: text(.errorRequestID, "requestId") ?? reply.header("x-request-id").map(Self.shown))
  }

  // 500 characters [enough for an error message]
  private static let maximumLength = 500

  private static func shown(_ text: String) -> String {
    let scalars = text.unicodeScalars.prefix(maximumLength).filter(\.isSafeForTerminal)
    return String(String.UnicodeScalarView(scalars))
  }
}

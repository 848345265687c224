// SPDX-License-Identifier: Apache-2.0

internal import WireFormats

/// What a server says of a request that it refused (RFC 9457), as far as it says it.
public struct Problem: Hashable, Sendable {
  /// The status of the reply.
  public let status: Int

  /// What a program goes by: a name for the cause.
  public let code: String?

  /// What a person may read.
  public let title: String?

  /// More about this case.
  public let detail: String?

  /// The member of the request's body that is at fault.
  public let member: String?

  /// What has to be confirmed.
  public let stepUp: StepUpDemand?

  /// How many seconds to wait before it is worth another try.
  public let retryAfter: Int?

  /// What the server calls the request, for whoever looks it up there.
  public let requestID: String?
}

extension Problem {
  /// Reads a reply that is no success. Whatever is not there, or is not as it should be, is passed over: a server that
  /// refuses is to be understood if at all possible. Nothing in it can move a terminal's cursor.
  init(_ reply: ServerReply) {
    let object = try? JSON.parse(reply.body[...], maximumSize: ServerRequest.maximumReadByteCount)
    func text(_ names: String...) -> String? {
      names.lazy.compactMap { (name) in try? object?[name]?.string }.first.map(Self.shown)
    }
    status = reply.status
    code = text("code")
    // What frameworks say that do not speak of problems.
    title = text("title", "error", "message")
    detail = text("detail", "error_description")
    member = text("member")
    requestID = text("requestId") ?? reply.header("x-request-id").map(Self.shown)
    stepUp = (try? object?["stepUp"]).flatMap { $0 }.flatMap { StepUpDemand($0) }
    retryAfter = reply.header("retry-after").flatMap { Int($0) }.flatMap { $0 >= 0 ? $0 : nil }
  }

  // 500 characters [what a person reads of an error]
  private static let maximumLength = 500

  private static func shown(_ text: String) -> String {
    let scalars = text.unicodeScalars.prefix(maximumLength).filter(\.mayBeShown)
    return String(String.UnicodeScalarView(scalars))
  }
}

extension Problem: CustomStringConvertible {
  /// The code and the title, or the status.
  public var description: String {
    let words = [code, [title, detail].compactMap { $0 }.first].compactMap { $0 }
    return words.isEmpty ? "status \(status)" : words.joined(separator: ": ")
  }
}

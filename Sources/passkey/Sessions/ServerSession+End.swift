// SPDX-License-Identifier: Apache-2.0

internal import CommandLineTool
internal import WebAuthnClient
internal import WireFormats

extension ServerSession {
  /// When the session ends at the server although nobody has told it to, in words.
  var ownEnd: String {
    // Whoever had what renews it could keep it open until then.
    let end = [expiry, isRenewable ? renewalExpiry : nil].compactMap(\.self).max()
    guard let end else { return "ends by itself in its time" }
    return end <= Clock.now ? "has ended by itself" : "ends by itself, \(end) at the latest"
  }

  /// Whether the server is shown the same by both: some open no other session for whoever has one.
  func isShown(as other: ServerSession) -> Bool {
    func shown(_ session: ServerSession) -> [Bytes?] {
      let object = try? JSON.parse(session.json[...], maximumSize: session.json.count)
      return ["token", "cookies"].map { (name) in (try? object?[name])?.encoded }
    }
    return shown(self) == shown(other)
  }
}

// SPDX-License-Identifier: Apache-2.0

internal import CommandLineTool
internal import WebAuthnClient
internal import WireFormats

extension ServerSession {
  /// Describes when the session expires at the server without a sign-out.
  var ownEnd: String {
    // A holder of the refresh token could keep the session open until then.
    let end = [expiry, isRenewable ? renewalExpiry : nil].compactMap(\.self).max()
    guard let end else { return "will expire" }
    return end <= Clock.now ? "has expired" : "expires at \(end) at the latest"
  }

  /// Whether both sessions present the same credentials. Some servers return the existing session on a repeated
  /// sign-in.
  func isShown(as other: ServerSession) -> Bool {
    func shown(_ session: ServerSession) -> [Bytes?] {
      let object = try? JSON.parse(session.json[...], maximumSize: session.json.count)
      return ["token", "cookies"].map { (name) in (try? object?[name])?.encoded }
    }
    return shown(self) == shown(other)
  }
}

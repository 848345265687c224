// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats
internal import PasskeyProfiles
internal import WebAuthnClient

/// The reason why an operation failed.
struct LoadFault: Error {
  /// The code of the server's problem, `http.STATUS`, or a code of this project, such as `client.unreachable`.
  let code: String
  /// The status of the reply; 0 without a reply.
  let status: Int

  init(_ code: String, status: Int = 0) {
    self.code = code
    self.status = status
  }

  /// Reads the code of an error reply.
  init(status: Int, body: [UInt8], _ shape: Shape) {
    let values = (try? JSON.parse(body[...])).flatMap { (json) in try? shape.read(json) }
    let code = values?.text(.errorCode).map { (code) in
      String(String.UnicodeScalarView(code.unicodeScalars.prefix(80).filter { $0.isASCII && $0.value > 0x20 }))
    }
    self.init(code.flatMap { $0.isEmpty ? nil : $0 } ?? "http.\(status)", status: status)
  }

  /// The reply has no options, no session or no grant.
  static func malformed(_ status: Int = 200) -> Self {
    Self(ClientError.Code.replyMalformed.rawValue, status: status)
  }
}

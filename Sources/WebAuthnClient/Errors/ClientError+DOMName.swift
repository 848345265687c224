// SPDX-License-Identifier: Apache-2.0

extension ClientError {
  /// The name of the exception that a page would see (WebAuthn §5.1.3 and §5.1.4).
  public var domName: String {
    switch code {
    case .originNotAllowed: "SecurityError"
    case .notAllowed: "NotAllowedError"
    case .unreachable: "NetworkError"
    }
  }
}

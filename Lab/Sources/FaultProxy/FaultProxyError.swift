// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats

/// The reason why a proxy cannot be made or a rule cannot be read.
package struct FaultProxyError: CodedError {
  /// The causes.
  package enum Code: String, Hashable, Sendable, CaseIterable {
    /// A rule does not have the form `MATCH: FAULT`, or its values are invalid.
    case invalidRule = "proxy.invalid-rule"
    /// A file of rules is not JSON of the expected form.
    case malformedRules = "proxy.malformed-rules"
    /// The address is not `HOST:PORT`.
    case invalidAddress = "proxy.invalid-address"
    /// The proxy cannot listen at its address.
    case cannotListen = "proxy.cannot-listen"
    /// Other machines can reach the address of the proxy, which was not allowed.
    case notLoopback = "proxy.not-loopback"
  }

  package let code: Code
  package let detail: String

  init(_ code: Code, _ detail: String) {
    self.code = code
    self.detail = detail
  }
}

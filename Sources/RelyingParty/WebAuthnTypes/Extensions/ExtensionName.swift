// SPDX-License-Identifier: Apache-2.0

/// The names of extensions: client extensions (WebAuthn §10.1, CTAP 2.3 §12, Secure Payment Confirmation), and
/// authenticator extensions with a different name.
package enum ExtensionName {
  // Client extensions
  package static let appID = "appid"
  package static let appIDExclude = "appidExclude"
  package static let credProps = "credProps"
  package static let prf = "prf"
  package static let largeBlob = "largeBlob"
  package static let credentialProtectionPolicy = "credentialProtectionPolicy"
  package static let enforceCredentialProtectionPolicy = "enforceCredentialProtectionPolicy"
  package static let credBlob = "credBlob"
  package static let getCredBlob = "getCredBlob"
  package static let minPinLength = "minPinLength"
  package static let pinComplexityPolicy = "pinComplexityPolicy"
  package static let hmacCreateSecret = "hmacCreateSecret"
  package static let hmacGetSecret = "hmacGetSecret"
  package static let uvm = "uvm"
  package static let payment = "payment"

  // Authenticator extensions
  package static let credProtect = "credProtect"
  package static let hmacSecret = "hmac-secret"
  package static let hmacSecretAtCreation = "hmac-secret-mc"
  package static let thirdPartyPayment = "thirdPartyPayment"

  /// The Boolean extensions of a registration that a client hands to the authenticator unchanged, and that only the
  /// authenticator answers (CTAP 2.3 §12.5, §12.6).
  package static let flags = [minPinLength, pinComplexityPolicy]
}

/// The description of extension outputs in one line.
enum ExtensionSummary {
  /// Lists the outputs that are present, each after its name.
  static func list(_ outputs: [(name: String, output: Any?)]) -> String {
    let words = outputs.compactMap { name, output in output.map { "\(name) (\($0))" } }
    return words.isEmpty ? "nothing" : words.joined(separator: ", ")
  }
}

// SPDX-License-Identifier: Apache-2.0

/// The names by which extensions are asked for and answered: those of clients (WebAuthn §10.1, CTAP 2.3 §12, Secure
/// Payment Confirmation), and those of authenticators where they differ.
package enum ExtensionName {
  // Clients
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

  // Authenticators
  package static let credProtect = "credProtect"
  package static let hmacSecret = "hmac-secret"
  package static let hmacSecretAtCreation = "hmac-secret-mc"
  package static let thirdPartyPayment = "thirdPartyPayment"
}

// SPDX-License-Identifier: Apache-2.0

internal import SystemCrypto
internal import WebAuthnInspection

/// One recorded ceremony that is to be made: a name, what is particular about it, and what should come of it.
protocol Scenario: Sendable {
  /// The case's id: topic, scenario and, where a scenario has both, the ceremony.
  var id: String { get }

  /// What the label of the random values is; scenarios of the same credential have the same.
  var label: String { get }

  /// What is wrong with it.
  var faults: [Fault] { get }

  /// What is particular about it besides.
  var particulars: Particulars { get set }

  /// The case, with everything that it is judged by.
  func makeCase() throws(CryptoError) -> JSONDraft
}

// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats

/// A method by which the user was verified, from the extension `uvm` (WebAuthn Level 2, §10.3). The numbers are from
/// the FIDO Registry of Predefined Values; unknown ones are preserved.
package struct UserVerificationMethod: Hashable, Sendable {
  /// The method: a bit of the registry's §3.1, such as 2 for a fingerprint or 4 for a passcode.
  package var method: UInt32

  /// The key protection: bits of §3.2.
  package var keyProtection: UInt32

  /// The protection of biometric matching: bits of §3.3.
  package var matcherProtection: UInt32

  /// The maximum number of methods that an authenticator reports.
  package static let maximumCount = 3

  /// Creates a method.
  package init(method: UInt32, keyProtection: UInt32, matcherProtection: UInt32) {
    self.method = method
    self.keyProtection = keyProtection
    self.matcherProtection = matcherProtection
  }
}

// MARK: Client outputs

extension UserVerificationMethod {
  /// Reads one to three methods; nil if malformed.
  static func list(_ entries: [ExtensionValue]) -> [Self]? {
    guard (1...maximumCount).contains(entries.count) else { return nil }
    var methods: [Self] = []
    for entry in entries {
      guard let numbers = entry.array?.map({ $0.number.flatMap { UInt32(exactly: $0) } }),
        let method = Self(numbers: numbers)
      else { return nil }
      methods.append(method)
    }
    return methods
  }

  static func value(of methods: [Self]) -> ExtensionValue {
    .array(
      methods.map { entry in
        .array([entry.method, entry.keyProtection, entry.matcherProtection].map { .number(Double($0)) })
      })
  }

  private init?(numbers: [UInt32?]) {
    guard numbers.count == 3, let method = numbers[0], let key = numbers[1], let matcher = numbers[2] else {
      return nil
    }
    self.init(method: method, keyProtection: key, matcherProtection: matcher)
  }
}

// MARK: Authenticator outputs

extension UserVerificationMethod {
  /// Reads one to three methods; nil if malformed.
  static func list(_ entries: CBORArray) -> [Self]? {
    var methods: [Self] = []
    for entry in entries {
      guard methods.count < maximumCount, let items = try? entry.array,
        let method = Self(numbers: items.prefix(4).map { item in (try? item.unsigned).flatMap { UInt32(exactly: $0) } })
      else { return nil }
      methods.append(method)
    }
    return methods.isEmpty ? nil : methods
  }
}

extension UserVerificationMethod: CustomStringConvertible {
  /// The three numbers.
  package var description: String { "method \(method), key \(keyProtection), matcher \(matcherProtection)" }
}

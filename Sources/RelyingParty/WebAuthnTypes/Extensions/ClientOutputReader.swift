// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats

/// A reader of client extension outputs. A malformed output does not affect the other extensions.
struct ClientOutputReader {
  private let members: ExtensionMembers
  private let reportsMalformed: Bool

  /// The errors of malformed outputs by extension name, if they are collected instead of thrown.
  private(set) var malformed: [String: FormatError] = [:]

  /// The extensions whose malformed output is always thrown, because the ceremony depends on it: `appid` selects the RP
  /// ID hash (WebAuthn §10.1.1), and `payment` carries a signature.
  private static let decisiveNames: Set = [ExtensionName.appID, ExtensionName.payment]

  /// Creates a reader. If `reportsMalformed`, it collects errors of malformed outputs in ``malformed`` instead of
  /// throwing them.
  init(_ extensions: ClientExtensions, reportsMalformed: Bool) {
    members = ExtensionMembers(extensions)
    self.reportsMalformed = reportsMalformed
  }

  mutating func bool(_ name: String) throws(FormatError) -> Bool? {
    try output(name) { (members) throws(FormatError) in try members.boolIfPresent(name) }
  }

  mutating func bytes(_ name: String) throws(FormatError) -> [UInt8]? {
    try output(name) { (members) throws(FormatError) in try members.byteArrayIfPresent(name) }
  }

  mutating func methods(_ name: String) throws(FormatError) -> [UserVerificationMethod]? {
    try output(name) { (members) throws(FormatError) in try members.methodsIfPresent(name) }
  }

  mutating func object<Output>(
    _ name: String, _ read: (ExtensionMembers) throws(FormatError) -> Output
  ) throws(FormatError) -> Output? {
    try output(name) { (members) throws(FormatError) in
      guard let object = try members.objectIfPresent(name) else { return nil }
      return try read(object)
    }
  }

  private mutating func output<Output>(
    _ name: String, _ read: (ExtensionMembers) throws(FormatError) -> Output?
  ) throws(FormatError) -> Output? {
    do throws(FormatError) {
      return try read(members)
    } catch {
      guard reportsMalformed, !Self.decisiveNames.contains(name) else { throw error }
      malformed[name] = error
      return nil
    }
  }
}

extension ExtensionMembers {
  fileprivate func methodsIfPresent(_ name: String) throws(FormatError) -> [UserVerificationMethod]? {
    guard let entries = try arrayIfPresent(name) else { return nil }
    guard let methods = UserVerificationMethod.list(entries) else { throw invalid(name) }
    return methods
  }
}

// SPDX-License-Identifier: Apache-2.0

public import WireFormats

/// The random bytes that a ceremony answers (WebAuthn §13.4.3): at least 16, so that none can be guessed.
public struct Challenge: OpaqueBytes {
  /// The bytes.
  public let bytes: Bytes

  /// The fewest bytes that a relying party sends [§13.4.3].
  public static let minimumByteCount = 16

  /// Takes 16 bytes or more.
  public init(_ bytes: Bytes) throws(FormatError) {
    guard bytes.count >= Self.minimumByteCount else { throw FormatError(.challengeTooShort, at: bytes.startIndex) }
    self.bytes = bytes
  }

  /// Takes as many bytes as there are: to judge recorded ceremonies of parties that sent too few, and for a client, which
  /// answers what it is given. One that may be guessed lets an old response pass for a new one, so that no relying party
  /// begins a ceremony with it.
  public init(allowingGuessableLength bytes: Bytes) {
    self.bytes = bytes
  }
}

// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCrypto
package import PasskeyFormats
internal import WebAuthnTypes

// Limits
//   list 8 MiB         [Google's list has some 100 KB]
//   entries 100,000    [8 MiB cannot contain more entries with a status; each becomes a dictionary entry]
//   serial number 20 octets [RFC 5280 §4.1.2.2]

/// Google's status list of Android attestation certificates: the JSON at `android.googleapis.com/attestation/status`.
///
/// The list identifies certificates by serial number only, and contains only invalid ones. It covers the certificates
/// of the format `android-key`. Google publishes it over HTTPS and does not sign it; the caller downloads it.
package struct AttestationStatusList: Sendable {
  /// The number of certificates on the list.
  package var count: Int { entries.count }

  /// The entries by serial number, without leading zeros.
  private let entries: [Bytes: Entry]

  /// The maximum length of a list.
  package static let maximumByteCount = 1 << 23

  private static let maximumEntryCount = 100_000
  private static let maximumDigitCount = 40

  /// An entry of the list.
  @usableFromInline package struct Entry: Hashable, Sendable {
    /// The status of the certificate. Every status, known or not, refuses the certificate.
    package let status: Status

    /// The reason, if the list contains one: `KEY_COMPROMISE`, `CA_COMPROMISE`, `SUPERSEDED` or `SOFTWARE_FLAW`.
    package let reason: String?
  }

  /// The status of a certificate. An open set.
  package struct Status: OpenString {
    /// The name of the status.
    package let rawValue: String

    /// Creates a status from its name, known or not.
    package init(rawValue: String) {
      self.rawValue = rawValue
    }

    /// The certificate is permanently invalid.
    package static let revoked = Self(rawValue: "REVOKED")
    /// The certificate is temporarily invalid.
    package static let suspended = Self(rawValue: "SUSPENDED")
  }

  /// Parses a list. Refuses trailing data, and ignores unknown members.
  /// - Throws: `attestation.status-list-malformed`.
  package init(json text: [UInt8]) throws(AttestationError) {
    guard text.count <= Self.maximumByteCount else {
      throw AttestationError(.statusListMalformed, "\(text.count) bytes, at most \(Self.maximumByteCount)")
    }
    var entries: [Bytes: Entry] = [:]
    do throws(WireError) {
      for member in try JSON.parse(text, maximumSize: Self.maximumByteCount).require("entries").members {
        guard entries.count < Self.maximumEntryCount else { throw WireError(.jsonTooLarge, at: member.nameOffset) }
        entries[try Self.serialNumber(member)] = Entry(
          status: Status(rawValue: try member.value.require("status").string),
          reason: try member.value["reason"]?.unlessNull?.string)
      }
    } catch {
      throw AttestationError(.statusListMalformed, error)
    }
    self.entries = entries
  }

  /// Returns the entry of the certificate with this serial number; nil if the list does not contain it.
  package func entry(serialNumber: some ByteSource) -> Entry? {
    entries[serialNumber.slice.drop { $0 == 0 }]
  }

  /// Parses the name of an entry: the serial number in hexadecimal digits, possibly an odd number of them.
  private static func serialNumber(_ member: JSONMembers.Member) throws(WireError) -> Bytes {
    let name = Array(member.name.utf8)
    guard (1...maximumDigitCount).contains(name.count) else {
      throw WireError(.hexInvalidCharacter, at: member.nameOffset)
    }
    let digits = name.count.isMultiple(of: 2) ? name : [UInt8(ascii: "0")] + name
    return try mapError(Hex.decode(digits).drop { $0 == 0 }) { (error: WireError) in
      WireError(error.code, at: member.nameOffset)
    }
  }
}

extension [AttestationStatusList] {
  /// Verifies that no list contains any of these certificates.
  func requireNone(of certificates: [X509Certificate]) throws(AttestationError) {
    for list in self {
      for certificate in certificates {
        guard let entry = list.entry(serialNumber: certificate.serialNumber) else { continue }
        let reason = entry.reason.map { ", \($0)" } ?? ""
        throw AttestationError(
          .certificateRevoked, "serial number \(Hex.encode(certificate.serialNumber)) is \(entry.status)\(reason)")
      }
    }
  }
}

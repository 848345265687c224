// SPDX-License-Identifier: Apache-2.0

internal import SystemCrypto
public import WebAuthnTypes
public import WireFormats

// Limits
//   list 8 MiB         [Google's list has some 100 KB]
//   entries 100,000    [at 8 MiB there is no room for more that have a status; each becomes a dictionary entry]
//   serial number 20 octets [RFC 5280 §4.1.2.2]

/// Google's status list of Android attestation certificates: the JSON text at `android.googleapis.com/attestation/status`.
///
/// The list names certificates by serial number alone, and only those that are no longer valid. It covers the certificates
/// of the format `android-key`. Google publishes it over HTTPS, unsigned: the caller fetches it.
public struct AttestationStatusList: Sendable {
  /// How many certificates are on the list.
  public var count: Int { entries.count }

  /// By serial number, without leading zeros.
  private let entries: [Bytes: Entry]

  /// The longest list that is read.
  public static let maximumByteCount = 1 << 23

  private static let maximumEntryCount = 100_000
  private static let maximumDigitCount = 40

  /// An entry of the list.
  public struct Entry: Hashable, Sendable {
    /// The state of the certificate. Each state refuses it, known or not.
    public let status: Status

    /// The reason, where the list gives one: `KEY_COMPROMISE`, `CA_COMPROMISE`, `SUPERSEDED` or `SOFTWARE_FLAW`.
    public let reason: String?
  }

  /// The state of a certificate. An open set.
  public struct Status: OpenString {
    /// The name of the state.
    public let rawValue: String

    /// The state with this name, known or not.
    public init(rawValue: String) {
      self.rawValue = rawValue
    }

    /// The certificate is invalid for good.
    public static let revoked = Self(rawValue: "REVOKED")
    /// The certificate is invalid for now.
    public static let suspended = Self(rawValue: "SUSPENDED")
  }

  /// Reads a list and demands that nothing stands around it. Members that are not known are ignored.
  /// - Throws: `attestation.status-list-malformed`.
  public init(json text: Bytes) throws(AttestationError) {
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

  /// The entry of the certificate with this serial number; nil where it is not on the list.
  public func entry(serialNumber: Bytes) -> Entry? {
    entries[serialNumber.drop { $0 == 0 }]
  }

  /// The name of an entry: the serial number in hexadecimal digits, of which there may be an odd count.
  private static func serialNumber(_ member: JSONMembers.Member) throws(WireError) -> Bytes {
    let name = Array(member.name.utf8)
    guard (1...maximumDigitCount).contains(name.count) else {
      throw WireError(.hexInvalidCharacter, at: member.nameOffset)
    }
    let digits = name.count.isMultiple(of: 2) ? name : [UInt8(ascii: "0")] + name
    do throws(WireError) {
      return try Hex.decode(digits[...]).drop { $0 == 0 }
    } catch {
      throw WireError(error.code, at: member.nameOffset)
    }
  }
}

extension [AttestationStatusList] {
  /// Demands that no list names any of these certificates.
  func requireNone(of certificates: [Certificate]) throws(AttestationError) {
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

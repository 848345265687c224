// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif
public import PasskeyFormats
public import WebAuthnTypes

// MARK: Date

extension UnixTime {
  /// The current time, in whole seconds.
  public static var now: UnixTime { UnixTime(Date()) }

  /// Creates a time from a date. Drops fractions of a second, and clamps dates that do not fit.
  public init(_ date: Date) {
    let seconds = date.timeIntervalSince1970.rounded(.down)
    self.init(secondsSince1970: Int64(exactly: seconds) ?? (seconds < 0 ? .min : .max))
  }
}

extension Date {
  /// Creates a date from a time.
  public init(_ timestamp: UnixTime) {
    self.init(timeIntervalSince1970: TimeInterval(timestamp.secondsSince1970))
  }
}

// MARK: UUID

extension AAGUID {
  /// Creates the identifier of an authenticator model from a UUID.
  public init(_ uuid: UUID) {
    let bytes = uuid.uuid
    self.init(
      unchecked: [
        bytes.0, bytes.1, bytes.2, bytes.3, bytes.4, bytes.5, bytes.6, bytes.7, bytes.8, bytes.9, bytes.10, bytes.11,
        bytes.12, bytes.13, bytes.14, bytes.15,
      ])
  }
}

extension UUID {
  /// Creates a UUID from the identifier of an authenticator model.
  public init(_ model: AAGUID) {
    let bytes = model.bytes
    self.init(
      uuid: (
        bytes[0], bytes[1], bytes[2], bytes[3], bytes[4], bytes[5], bytes[6], bytes[7], bytes[8], bytes[9], bytes[10],
        bytes[11], bytes[12], bytes[13], bytes[14], bytes[15]
      ))
  }
}

// MARK: URL

extension WebOrigin {
  /// Creates the origin of a web page from the page's URL. Ignores the path, the query and the fragment.
  ///
  /// - Throws: `origin.invalid` if the scheme is neither `http` nor `https`, or if the host is not an ASCII domain name
  ///   or an IP address.
  public init(of page: URL) throws(FormatError) {
    guard let scheme = page.scheme?.lowercased(), ["http", "https"].contains(scheme), let host = page.host() else {
      throw FormatError(.originInvalid, at: 0)
    }
    let address = (host.contains(":") ? "[\(host)]" : host).lowercased()
    try self.init("\(scheme)://\(address)\(page.port.map { ":\($0)" } ?? "")")
  }
}

extension URL {
  /// Creates the URL of a web origin; nil for the origin of a native application.
  public init?(_ origin: WebOrigin) {
    guard case .web = origin.kind else { return nil }
    self.init(string: origin.text)
  }
}

// SPDX-License-Identifier: Apache-2.0

public import WireFormats

extension RelatedOrigins {
  // 64 KiB [the largest that are served have some kilobytes]

  /// Reads a document that was fetched (WebAuthn §5.11.1, step 2).
  ///
  /// It must be an object whose `origins` is an array of strings. A string that is no URL with a host is passed over, as
  /// the standard has it, and so is what stands behind the host and port of one that is. Labels are not counted here: how
  /// many there may be is the client's policy, and what they are its public suffix list's affair.
  public init(json: Bytes) throws(FormatError) {
    let texts: [Bytes]
    do throws(WireError) {
      texts = try Self.texts(in: json)
    } catch {
      throw FormatError(.relatedOriginsMalformed, error)
    }
    origins = texts.compactMap(Self.origin)
  }

  private static func texts(in json: Bytes) throws(WireError) -> [Bytes] {
    var texts: [Bytes] = []
    for item in try JSON.parse(JSON.withoutByteOrderMark(json)).require("origins").array { texts.append(try item.utf8) }
    return texts
  }

  /// The origin of a URL, as far as it matters for one of `https` or `http`.
  private static func origin(of url: Bytes) -> Origin? {
    let trimmed = url.drop { $0 <= 0x20 }
    guard let colon = trimmed.firstIndex(of: UInt8(ascii: ":")) else { return nil }
    let scheme = trimmed[..<colon].map(lowercased)
    guard ["https", "http"].contains(String(decoding: scheme, as: UTF8.self)) else { return nil }
    let rest = trimmed[(colon + 1)...]
    guard rest.starts(with: "//".utf8) else { return nil }
    let ends = "/?#\\ \t\r\n".utf8
    let authority = rest.dropFirst(2).prefix { !ends.contains($0) }
    // A name or password in a URL is no part of its origin.
    let host = authority.split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false).last ?? authority
    return try? Origin(utf8: (scheme + "://".utf8 + host.map(lowercased))[...])
  }

  private static func lowercased(_ byte: UInt8) -> UInt8 {
    UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte ? byte | 0x20 : byte
  }
}

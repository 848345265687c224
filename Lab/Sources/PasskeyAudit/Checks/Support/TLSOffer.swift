// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats

/// The first message of a TLS handshake (RFC 5246 §7.4.1.2), which offers one version and some cipher suites.
///
/// The response shows what the server accepts, even if the TLS library of this machine supports none of it.
struct TLSOffer: Sendable {
  enum Version: UInt16, Sendable {
    case tls10 = 0x0301
    case tls11 = 0x0302
    case tls12 = 0x0303

    var name: String {
      switch self {
      case .tls10: "1.0"
      case .tls11: "1.1"
      case .tls12: "1.2"
      }
    }
  }

  let version: Version
  let suites: [TLSSuite]

  /// The suites in the syntax of OpenSSL, for the command line that repeats the offer.
  let openSSLName: String

  /// Options with which curl makes the same offer, if its TLS library supports it.
  var curlOptions: [String] {
    ["--tlsv\(version.name)", "--tls-max", version.name, "--ciphers", "\(openSSLName):@SECLEVEL=0"]
  }

  /// Returns the message for a host as a record. `random` has 32 bytes.
  func record(for host: String, random: [UInt8]) -> [UInt8] {
    var hello = ByteWriter()
    hello.write(version.rawValue)
    hello.write(random)
    hello.write(UInt8(0))  // No session to resume.
    hello.writeVector { (list) in for suite in suites { list.write(suite.number) } }
    hello.write([1, 0])  // No compression.
    hello.writeVector { (extensions) in
      let isName = host.contains { $0.isLetter } && !host.contains(":")
      if isName { extensions.write(0, Self.serverName(host)) }
      extensions.write(10, [0, 8, 0, 29, 0, 23, 0, 24, 0, 25])  // x25519, P-256, P-384, P-521
      extensions.write(11, [1, 0])  // Uncompressed points.
      if version == .tls12 { extensions.write(13, Self.signatureAlgorithms) }
      extensions.write(0xff01, [0])  // Secure renegotiation.
    }
    var handshake = ByteWriter()
    handshake.write([1, 0])  // ClientHello, and the first byte of its length.
    handshake.writeVector { $0.write(hello.bytes) }
    var record = ByteWriter()
    record.write([22, 3, 1])  // A handshake record; all servers accept this version here.
    record.writeVector { $0.write(handshake.bytes) }
    return record.bytes
  }

  /// Returns the version and the suite of an answer, or its alert, as text.
  func name(of answer: TLSAnswer?) -> String {
    switch answer {
    case .accepted(let version, let suite):
      let name = suites.first { $0.number == suite }?.name ?? "suite \(suite)"
      return "TLS \(Version(rawValue: version)?.name ?? "version \(version)") with \(name)"
    case .alert(let number): return "alert \(number)"
    case nil: return "no TLS message"
    }
  }

  private static func serverName(_ host: String) -> [UInt8] {
    var entry = ByteWriter()
    entry.write(UInt8(0))
    entry.writeVector { $0.write(Array(host.utf8)) }
    var list = ByteWriter()
    list.writeVector { $0.write(entry.bytes) }
    return list.bytes
  }

  // ECDSA and RSA (PSS and PKCS #1) with SHA-256, SHA-384, SHA-512 and SHA-1.
  private static let signatureAlgorithms: [UInt8] = [
    0, 22, 4, 3, 5, 3, 6, 3, 8, 4, 8, 5, 8, 6, 4, 1, 5, 1, 6, 1, 2, 3, 2, 1,
  ]
}

extension ByteWriter {
  /// Writes bytes after their 16-bit length.
  fileprivate mutating func writeVector(_ write: (inout ByteWriter) -> Void) {
    var content = ByteWriter()
    write(&content)
    self.write(UInt16(truncatingIfNeeded: content.bytes.count))
    self.write(content.bytes)
  }

  /// Writes an extension.
  fileprivate mutating func write(_ type: UInt16, _ content: [UInt8]) {
    write(type)
    writeVector { $0.write(content) }
  }
}

/// A server's first message in a TLS handshake.
enum TLSAnswer: Hashable, Sendable {
  /// The server goes on with a version and a cipher suite.
  case accepted(version: UInt16, suite: UInt16)
  /// The server refuses with the number of an alert (RFC 5246 §7.2).
  case alert(UInt8)

  /// Reads the record that begins `bytes`; nil if it is another one or not complete.
  init?(_ bytes: [UInt8]) {
    var reader = ByteReader(bytes)
    do throws(WireError) {
      let type = try reader.readByte()
      _ = try reader.readUInt16()
      var content = ByteReader(try reader.read(Int(reader.readUInt16())))
      switch type {
      case 21:
        _ = try content.readByte()
        self = .alert(try content.readByte())
      case 22:
        // ServerHello with its length, the version, the random bytes and the session.
        guard try content.readByte() == 2 else { return nil }
        _ = try content.read(3)
        let version = try content.readUInt16()
        _ = try content.read(32)
        _ = try content.read(Int(content.readByte()))
        self = .accepted(version: version, suite: try content.readUInt16())
      default: return nil
      }
    } catch {
      return nil
    }
  }
}

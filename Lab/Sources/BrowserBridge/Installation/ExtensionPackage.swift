// SPDX-License-Identifier: Apache-2.0

package import PasskeyCrypto
internal import PasskeyFormats

/// The extension as a signed package (CRX3). The signing key determines its identifier.
package struct ExtensionPackage: Sendable {
  /// The package as a file.
  package let bytes: [UInt8]

  /// The identifier of the packed extension.
  package let identifier: String

  /// The version in the extension's manifest.
  package static let version = manifestText("version")

  // CRX3: "Cr24" | version (u32) | header length (u32) | header | archive. The header is a protocol buffer:
  //   2 sha256_with_rsa {1 public_key, 2 signature}, 10000 signed_header_data {1 crx_id}
  // The signature covers "CRX3 SignedData\0" | length of signed_header_data (u32) | signed_header_data | archive.
  private static let magic = [UInt8]("Cr24".utf8)
  private static let formatVersion: UInt32 = 3
  private static let signaturePrefix = [UInt8]("CRX3 SignedData\0".utf8)
  private static let identifierByteCount = 16

  /// Packs the extension and signs it with an RSA key.
  ///
  /// - Throws: `browser-host.packing-failed`.
  package init(signedWith key: SigningKey) throws(BrowserError) {
    let archive = StoredArchive.bytes(of: Self.files)
    let publicKey: [UInt8]
    let identifier: [UInt8]
    let signedHeader: [UInt8]
    let signature: [UInt8]
    do throws(PasskeyCryptoError) {
      publicKey = try key.publicKey.subjectPublicKeyInfo
      identifier = Array(Digest.sha256(publicKey).prefix(Self.identifierByteCount))
      signedHeader = Self.field(1, identifier)
      signature = try key.sign(
        Self.signaturePrefix + LittleEndian.bytes(UInt32(signedHeader.count)) + signedHeader + archive)
    } catch {
      throw BrowserError(.packingFailed, "\(error)")
    }
    let header = Self.field(2, Self.field(1, publicKey) + Self.field(2, signature)) + Self.field(10_000, signedHeader)
    bytes =
      Self.magic + LittleEndian.bytes(Self.formatVersion) + LittleEndian.bytes(UInt32(header.count)) + header + archive
    self.identifier = Self.identifier(identifier)
  }

  /// Returns the identifier as letters from a to p, one for each half of a byte.
  private static func identifier(_ bytes: [UInt8]) -> String {
    let letters = bytes.flatMap { (byte) in [byte >> 4, byte & 15] }.map { (half) in UInt8(ascii: "a") + half }
    return String(decoding: letters, as: UTF8.self)
  }

  /// The files of the package: the manifest has no `key`, because a browser takes the key from the package.
  private static let files = BrowserExtension.files.map { (file) in
    file.name == BrowserExtension.manifestName ? (file.name, manifestWithoutKey) : file
  }

  private static var manifestWithoutKey: [UInt8] {
    JSON.writeObject(.pretty) { (object: inout JSONObjectWriter) in
      for member in manifestMembers where member.name != "key" { object.write(member.name, .verbatim(member.value)) }
    }
  }

  private static func manifestText(_ name: String) -> String {
    (try? manifestMembers.first { (member) in member.name == name }?.value.string) ?? ""
  }

  private static var manifestMembers: [(name: String, value: JSONValue)] {
    let manifest = BrowserExtension.files.first { (file) in file.name == BrowserExtension.manifestName }
    guard let manifest, let members = try? JSON.parse(manifest.content[...]).members else { return [] }
    return members.map { (member) in (member.name, member.value) }
  }

  /// Returns a field of a protocol buffer whose value is bytes.
  private static func field(_ number: UInt32, _ value: [UInt8]) -> [UInt8] {
    variableLength(number << 3 | 2) + variableLength(UInt32(value.count)) + value
  }

  private static func variableLength(_ number: UInt32) -> [UInt8] {
    var rest = number
    var bytes: [UInt8] = []
    while rest > 0x7f {
      bytes.append(UInt8(rest & 0x7f) | 0x80)
      rest >>= 7
    }
    return bytes + [UInt8(rest)]
  }
}

/// Numbers in little-endian order.
enum LittleEndian {
  static func bytes(_ number: UInt32) -> [UInt8] {
    [0, 8, 16, 24].map { (shift) in UInt8(truncatingIfNeeded: number >> shift) }
  }

  static func bytes(_ number: UInt16) -> [UInt8] { Array(bytes(UInt32(number)).prefix(2)) }
}

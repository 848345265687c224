// SPDX-License-Identifier: Apache-2.0

import Glibc
import PasskeyCOSE
import PasskeyCrypto
import PasskeyFormats
import PasskeySystem
import PasskeyTestSupport
import Testing

@testable import BrowserBridge

@Suite struct ExtensionPackageTests {
  private static let key = Result { try SigningKey.generate(.rs256, random: .system) }

  /// The parts of a package: the public key, the signature, the signed header and the archive.
  private struct Parts {
    let publicKey: Bytes
    let signature: Bytes
    let signedHeader: Bytes
    let archive: Bytes

    init(_ package: [UInt8]) throws {
      var reader = ByteReader(package[...])
      #expect(try reader.read(8) == [UInt8]("Cr24\u{3}\0\0\0".utf8)[...])
      let length = try reader.read(4).reversed().reduce(0) { $0 << 8 | Int($1) }
      var header = ByteReader(try reader.read(length))
      archive = reader.readRest()
      var proof = ByteReader(try Self.field(2, &header))
      publicKey = try Self.field(1, &proof)
      signature = try Self.field(2, &proof)
      signedHeader = try Self.field(10_000, &header)
      #expect(header.isAtEnd && proof.isAtEnd)
    }

    private static func field(_ number: Int, _ reader: inout ByteReader) throws -> Bytes {
      #expect(try varint(&reader) == number << 3 | 2)
      return try reader.read(try varint(&reader))
    }

    private static func varint(_ reader: inout ByteReader) throws -> Int {
      var value = 0
      var shift = 0
      while true {
        let byte = try reader.readByte()
        value |= Int(byte & 0x7f) << shift
        if byte < 0x80 { return value }
        shift += 7
      }
    }
  }

  @Test func `the package is signed, and its identifier is that of the key`() throws {
    let key = try Self.key.get()
    let package = try ExtensionPackage(signedWith: key)
    let parts = try Parts(package.bytes)
    #expect(try parts.publicKey == key.publicKey.subjectPublicKeyInfo[...])
    let identifier = Digest.sha256(parts.publicKey).prefix(16)
    #expect(Array(parts.signedHeader) == [1 << 3 | 2, 16] + identifier)
    let letters = identifier.flatMap { [$0 >> 4, $0 & 15] }.map { UInt8(ascii: "a") + $0 }
    #expect(package.identifier == String(decoding: letters, as: UTF8.self))
    let signed = [UInt8]("CRX3 SignedData\0".utf8) + [18, 0, 0, 0] + parts.signedHeader + parts.archive
    let verifying = try VerifyingKey(subjectPublicKeyInfo: parts.publicKey, algorithm: .rs256)
    try verifying.verify(parts.signature, over: signed[...])
  }

  @Test(.enabled(if: unsafe access("/usr/bin/python3", X_OK) == 0, "python3 is not installed"))
  func `the archive has the files of the extension, and a manifest without a key`() async throws {
    let folder = try TemporaryFolder()
    let parts = try Parts(try ExtensionPackage(signedWith: try Self.key.get()).bytes)
    try File.write(Array(parts.archive), to: "\(folder.path)/archive.zip")
    // The reader of another project checks the lengths and checksums.
    let run = try PipedProgram(shell: "exec python3 -m zipfile -e archive.zip files 2>&1", in: folder.path)
    let output = try await waiting { try FileDescriptor(number: run.output).readToEnd(limit: 1 << 16) ?? [] }
    #expect(String(decoding: output, as: UTF8.self) == "")
    let names = try File.names(in: "\(folder.path)/files").sorted()
    #expect(names == BrowserExtension.files.map(\.name).sorted())
    for file in BrowserExtension.files where file.name != "manifest.json" {
      #expect(try File.bytes("\(folder.path)/files/\(file.name)") == file.content)
    }
    let manifest = try JSON.parse(File.bytes("\(folder.path)/files/manifest.json")[...])
    #expect(try manifest["key"] == nil)
    #expect(try manifest.require("version").string == ExtensionPackage.version)
    #expect(try manifest.require("permissions").elements { (name) throws(WireError) in try name.string }.count == 2)
  }
}

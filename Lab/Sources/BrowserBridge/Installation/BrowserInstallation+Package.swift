// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCOSE
internal import PasskeyCrypto
internal import PasskeyFormats

/// The packed extension of an installation.
package struct PackedExtension: Sendable {
  /// The identifier, which the signing key of the installation determines.
  package let identifier: String
  /// The path of the package.
  package let path: String
  /// The path of a policy that makes a browser install the package, if one is wanted. Browsers apply policies to all users of
  /// the machine.
  package let policyPath: String?
}

extension BrowserInstallation {
  private var packagePath: String { "\(folder)/passkey.crx" }
  private var packingKeyPath: String { "\(folder)/packing-key.pem" }
  private var updateManifestPath: String { "\(folder)/update.xml" }
  private var policyPath: String { "\(folder)/policy-for-all-users.json" }

  /// The files of ``pack()``.
  var packageFiles: [String] { [packagePath, packingKeyPath, updateManifestPath, policyPath] }

  /// Packs the extension, and writes the update manifest that names the package. Creates the signing key if the installation
  /// has none.
  ///
  /// With `policy`, also writes a policy that names the manifest. A policy reaches the browsers of all users of the machine,
  /// but the host and the vault are this user's, who could change the package at any time. So only this user can read the
  /// package and the manifest, and users can turn the extension off.
  ///
  /// - Throws: `browser-host.packing-failed` or `browser-host.file-failed`.
  package func pack(policy: Bool = false) throws(BrowserError) -> PackedExtension {
    try createFolder(folder)
    let package = try ExtensionPackage(signedWith: try packingKey())
    try write(package.bytes, to: packagePath, mode: 0o600)
    let manifest = """
      <?xml version="1.0" encoding="UTF-8"?>
      <gupdate xmlns="http://www.google.com/update2/response" protocol="2.0">
        <app appid="\(package.identifier)">
          <updatecheck codebase="\(Self.fileURL(packagePath))" version="\(ExtensionPackage.version)"/>
        </app>
      </gupdate>

      """
    try write([UInt8](manifest.utf8), to: updateManifestPath, mode: 0o600)
    if policy { try write(policyJSON(package), to: policyPath, mode: 0o600) } else { try delete(policyPath) }
    return PackedExtension(
      identifier: package.identifier, path: packagePath, policyPath: policy ? policyPath : nil)
  }

  private func policyJSON(_ package: ExtensionPackage) -> [UInt8] {
    JSON.writeObject(.pretty) { (object: inout JSONObjectWriter) in
      object.writeObject("ExtensionSettings") { (settings: inout JSONObjectWriter) in
        settings.writeObject(package.identifier) { (settings: inout JSONObjectWriter) in
          settings.write("installation_mode", "normal_installed")
          settings.write("update_url", Self.fileURL(updateManifestPath))
        }
      }
    } + [UInt8(ascii: "\n")]
  }

  /// The content of a file in the browser's folder "External Extensions", from which Chromium installs a package.
  func externalExtensionJSON(_ packed: PackedExtension) -> [UInt8] {
    JSON.writeObject(.pretty) { (object: inout JSONObjectWriter) in
      object.write("external_crx", packed.path)
      object.write("external_version", ExtensionPackage.version)
    } + [UInt8(ascii: "\n")]
  }

  /// Reads the signing key, or creates it.
  private func packingKey() throws(BrowserError) -> SigningKey {
    if let text = try read(packingKeyPath) {
      guard let block = try? PEM.blocks(in: text[...]).first,
        let key = try? SigningKey(.rs256, pkcs8: SecretBytes(block.bytes))
      else { throw BrowserError(.packingFailed, "\(packingKeyPath) is not an RSA key") }
      return key
    }
    let key: SigningKey
    let text: String
    do throws(PasskeyCryptoError) {
      key = try SigningKey.generate(.rs256, random: .system)
      text = try key.pkcs8.withBytes { (bytes) in PEM.text("PRIVATE KEY", bytes) }
    } catch {
      throw BrowserError(.packingFailed, "\(error)")
    }
    try write([UInt8](text.utf8), to: packingKeyPath, mode: 0o600)
    return key
  }

  /// Returns the URL of a file.
  private static func fileURL(_ path: String) -> String {
    let plain =
      Set("/-._~".utf8).union(UInt8(ascii: "a")...UInt8(ascii: "z")).union(UInt8(ascii: "A")...UInt8(ascii: "Z"))
      .union(UInt8(ascii: "0")...UInt8(ascii: "9"))
    let escaped = path.utf8.map { (byte) -> String in
      guard !plain.contains(byte) else { return String(decoding: [byte], as: UTF8.self) }
      return "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
    }
    return "file://" + escaped.joined()
  }
}

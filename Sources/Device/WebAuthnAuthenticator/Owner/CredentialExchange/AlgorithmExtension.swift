// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCOSE
internal import PasskeyFormats

// "extensions": [{ "name": "raxx.app/cose-algorithm", "algorithm": -37 }]

/// The extension of an item that names the algorithm of its passkey, which the Credential Exchange Format does not.
///
/// It is written if the type of the key stands for another algorithm. Importers that do not know it use that one.
enum AlgorithmExtension {
  private static let name = "raxx.app/cose-algorithm"
  private static let member = "algorithm"

  /// Writes the extension, if the passkey needs it.
  static func write(_ passkey: ExchangedPasskey, to item: inout JSONObjectWriter) {
    guard PrivateKeyInfo.algorithm(of: passkey.privateKey) != passkey.algorithm else { return }
    item.writeArray("extensions") { (extensions) in
      extensions.writeObject { (object) in
        object.write("name", .string(name))
        object.write(member, .integer(passkey.algorithm.rawValue))
      }
    }
  }

  /// Returns the named algorithm of an item, and whether the item has no other extensions.
  static func read(_ item: JSONValue) -> (algorithm: COSEAlgorithm?, isAlone: Bool) {
    var algorithm: COSEAlgorithm?
    var isAlone = true
    for value in (try? item["extensions"]?.unlessNull?.array).map(Array.init) ?? [] {
      if (try? value["name"]?.string) == name, let number = try? value[member]?.int64 {
        algorithm = COSEAlgorithm(rawValue: number)
      } else {
        isAlone = false
      }
    }
    return (algorithm, isAlone)
  }
}

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

  /// Returns the named algorithm of an item, if there is one, and whether the item has no other extensions.
  static func read(_ item: JSONValue) -> (algorithm: Result<COSEAlgorithm, ExchangeRefusal>?, isAlone: Bool) {
    guard let extensions = ((try? item["extensions"]) ?? nil)?.unlessNull else { return (nil, true) }
    guard let values = try? extensions.array else { return (nil, false) }
    var named: Result<COSEAlgorithm, ExchangeRefusal>?
    var isAlone = true
    for value in values {
      if (try? value["name"]?.string) != name {
        isAlone = false
      } else {
        named = named == nil ? algorithm(in: value) : .failure(ExchangeRefusal(.malformed, "\(name) occurs twice"))
      }
    }
    return (named, isAlone)
  }

  /// The algorithm, if our devices create keys with it.
  private static func algorithm(in value: JSONValue) -> Result<COSEAlgorithm, ExchangeRefusal> {
    guard let number = try? value[member]?.int64 else {
      return .failure(ExchangeRefusal(.malformed, "\(name) has no number as its \(member)"))
    }
    let algorithm = COSEAlgorithm(rawValue: number)
    guard AuthenticatorProfile.everyAlgorithm.contains(algorithm) else {
      return .failure(ExchangeRefusal(.unusableKey, "\(name) names an algorithm that is not supported: \(number)"))
    }
    return .success(algorithm)
  }
}

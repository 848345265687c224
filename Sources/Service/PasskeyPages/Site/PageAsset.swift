// SPDX-License-Identifier: Apache-2.0

/// An image or a font of a folder, which the theme and the pages refer to by its name.
enum PageAsset {
  private static let mediaTypes = [
    "avif": "image/avif", "gif": "image/gif", "jpg": "image/jpeg", "jpeg": "image/jpeg", "png": "image/png",
    "svg": "image/svg+xml", "webp": "image/webp", "otf": "font/otf", "ttf": "font/ttf", "woff": "font/woff",
    "woff2": "font/woff2",
  ]

  /// The endings of their names.
  static let endings = mediaTypes.keys.sorted()

  /// Returns the media type of a file; nil if it is neither an image nor a font, or if its name is not fit for an address.
  static func mediaType(of name: String) -> String? {
    let isPlain = name.utf8.allSatisfy { (byte) in
      UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte || UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte
        || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || "-_.".utf8.contains(byte)
    }
    guard isPlain, !name.hasPrefix("."), let dot = name.lastIndex(of: ".") else { return nil }
    return mediaTypes[name[name.index(after: dot)...].lowercased()]
  }
}

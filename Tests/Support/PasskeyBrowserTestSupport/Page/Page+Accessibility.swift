// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats

/// An element of the accessibility tree, as a screen reader gets it.
package struct AccessibleElement: Hashable, Sendable {
  /// The role, such as `button`, `textbox` or `heading`.
  package let role: String
  /// The accessible name.
  package let name: String
  /// The description, such as the text of an error beside an input field.
  package let description: String
  /// The states and properties, such as `focusable`, `required` or `level`, with their values as text.
  package let properties: [String: String]
}

extension Page {
  /// Returns the elements of the accessibility tree in document order, without those that assistive technology ignores.
  package func accessibleElements() async throws -> [AccessibleElement] {
    let nodes = try await send("Accessibility.getFullAXTree").require("nodes")
    return try nodes.elements { $0 }.compactMap { (node) in
      guard try !node.require("ignored").bool else { return nil }
      var properties: [String: String] = [:]
      for property in try node["properties"]?.elements({ $0 }) ?? [] {
        guard let value = try property.require("value")["value"] else { continue }
        properties[try property.require("name").string] = try Self.plainText(value)
      }
      func text(_ member: String) throws -> String {
        guard let value = try node[member]?["value"] else { return "" }
        return try Self.plainText(value)
      }
      return AccessibleElement(
        role: try text("role"), name: try text("name"), description: try text("description"), properties: properties)
    }
  }

  private static func plainText(_ value: JSONValue) throws -> String {
    value.kind == .string ? try value.string : String(decoding: value.encoded, as: UTF8.self)
  }
}

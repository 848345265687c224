// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats

/// The descriptions of requests that people confirm: what each member of a request means, for people.
///
/// A description names texts of the pages: `{"POST /api/orders": {"title": "confirmOrder", "rows": [{"member": "symbol", "label":
/// "share"}]}}`. Scripts get it with the texts in place of their names.
struct PageActions {
  private static let formats = ["text", "number", "money", "date"]

  private let files: [[UInt8]]

  init(_ files: PageFiles, _ added: [AddedPage]) {
    self.files = [files[.actions]] + added.map(\.actions)
  }

  /// Returns the descriptions as a JSON object, with the texts of a language.
  func json(_ texts: PageTexts) throws(PagesError) -> [UInt8] {
    let texts = texts.inPages
    var missing: String?
    func text(_ name: String) -> String {
      if texts[name] == nil { missing = missing ?? name }
      return texts[name] ?? name
    }
    var written: [UInt8] = []
    do throws(WireError) {
      written = try JSON.writeObject { (object: inout JSONObjectWriter) throws(WireError) in
        for file in files {
          for action in try JSON.parse(file).members {
            let rows = try action.value.require("rows").elements { (row) throws(WireError) in try Row(row) }
            let title = try action.value["title"]?.string
            object.writeObject(action.name) { (object) in
              if let title { object.write("title", text(title)) }
              object.writeArray("rows") { (list) in
                for row in rows { list.writeObject { (object) in row.write(into: &object, text) } }
              }
            }
          }
        }
      }
    } catch {
      throw PagesError(.actionsMalformed, in: PageFile.actions.rawValue, "\(error)")
    }
    if let missing { throw PagesError(.textMissing, in: PageFile.actions.rawValue, missing) }
    return written
  }

  /// A member of a request.
  private struct Row {
    let member: String
    let label: String
    let format: String
    let currency: String?
    let values: [(value: String, text: String)]

    init(_ json: JSONValue) throws(WireError) {
      member = try json.require("member").string
      label = try json.require("label").string
      format = try json["format"]?.string ?? "text"
      currency = try json["currency"]?.string
      var values: [(value: String, text: String)] = []
      if let found = try json["values"] {
        for member in try found.members { values.append((member.name, try member.value.string)) }
      }
      self.values = values
      guard PageActions.formats.contains(format), (format == "money") == (currency != nil) else {
        throw WireError(.jsonWrongType, at: json.offset)
      }
    }

    func write(into object: inout JSONObjectWriter, _ text: (String) -> String) {
      object.write("member", member)
      object.write("label", text(label))
      object.write("format", format)
      if let currency { object.write("currency", currency) }
      guard !values.isEmpty else { return }
      object.writeObject("values") { (object) in
        for (value, name) in values { object.write(value, text(name)) }
      }
    }
  }
}

// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats
package import PasskeyProfiles

/// The values from which a request was written, so that it can be written again once values of the profile are known.
package struct RequestDraft: Sendable {
  /// The endpoint; nil for a request that the profile does not describe.
  package var endpoint: EndpointName?

  /// The values of the message, with the kept ones.
  package var values: ShapeValues

  /// The identifier in the path.
  let id: String?

  /// The number of requests before this one that were answered.
  var stepCount = 0

  /// The request before another one that this is; nil for another request.
  var step: EndpointContract?

  /// The path as it was written. A caller that changed it keeps the change.
  var path = ""

  /// The body as it was written. A caller that changed it keeps the change.
  var body: [UInt8] = []

  /// The names of the header fields that the profile set.
  var fieldNames: Set<String> = []
}

extension ServiceProfile {
  /// Returns kept values with those that need no request: of the environment, and of cookies.
  package func complete(_ kept: KeptValues, cookie: (String) -> String?) -> KeptValues {
    var kept = kept
    for (name, value) in values {
      switch value.source {
      case .environment: kept[KeptName(.value, name)] = value.fixed.map { .text($0) }
      case .cookie(let own):
        if let content = cookie(own) { kept[KeptName(.value, name)] = .text(content) }
      case .header, .json, .page: break
      }
    }
    return kept
  }

  /// Returns the next path to get before a request, in the order of the names of the values; nil if none is missing.
  ///
  /// A header field of the profile is no reason to get a value for a request that only reads.
  package func missingSource(
    for contract: EndpointContract?, isWrite: Bool, _ kept: KeptValues, cookie: (String) -> String?
  ) -> String? {
    guard !values.isEmpty else { return nil }
    let known = complete(kept, cookie: cookie)
    var names = contract?.keptNamesOfRequest ?? []
    if isWrite { names.formUnion(headers.sent.compactMap(\.kept)) }
    let missing = names.filter { $0.kind == .value && known[$0] == nil }.sorted { $0.name < $1.name }
    return missing.lazy.compactMap { values[$0.name]?.from }.first
  }

  /// Takes the values in the response to a request before another one, and drops those of pages: the next request may need
  /// new ones.
  ///
  /// - Returns: The description of what the response lacks; nil if it has everything.
  package func take(
    _ body: [UInt8], location: String?, of step: EndpointContract, into kept: inout KeptValues
  ) -> String? {
    kept = kept.filter { $0.key.kind == .ceremony }
    guard step.readLocation(location, into: &kept) else {
      return "a redirect to \(step.location ?? "another place")"
    }
    guard let shape = step.response else { return nil }
    let found = (try? step.document(body)).flatMap { try? shape.withOptionalMembers.read($0) }
    kept.merge(found?.kept ?? [:]) { $1 }
    let missing = shape.requiredKeptNames.filter { kept[$0.key] == nil }.min { $0.value < $1.value }
    return missing.map { "\($0.value) (\($0.key))" }
  }

  /// Adds the values in the response to `GET path`.
  ///
  /// - Returns: The description of a value that the response lacks; nil if it has all of them.
  package func take(
    from path: String, body: [UInt8], header: (String) -> String?, cookie: (String) -> String?,
    into kept: inout KeptValues
  ) -> String? {
    var missing: String?
    for (name, value) in values.sorted(by: { $0.key < $1.key }) where value.from == path {
      let found: ShapeValue?
      switch value.source {
      case .environment: continue
      case .cookie(let own): found = cookie(own).map { .text($0) }
      case .header(let own): found = header(own).map { .text($0) }
      case .json(let steps):
        let document = try? JSON.parse(JSON.withoutByteOrderMark(body), maximumSize: body.count)
        found = document.flatMap { ComputedValue.member(steps, of: $0) }
      case .page(let own): found = ComputedValue.element(named: own, in: body).map { .text($0) }
      }
      kept[KeptName(.value, name)] = found
      if found == nil { missing = missing ?? "\(value.described) ($value.\(name))" }
    }
    return missing
  }
}

extension ComputedValue {
  /// The source in words.
  fileprivate var described: String {
    switch source {
    case .environment(let name): "$\(name)"
    case .cookie(let name): "the cookie \(name)"
    case .header(let name): "the header field \(name)"
    case .json(let steps): "the member \(steps.joined(separator: "."))"
    case .page(let name): "an element meta, input or script named \(name)"
    }
  }
}

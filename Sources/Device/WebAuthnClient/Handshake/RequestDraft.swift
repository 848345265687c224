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

  /// Returns the paths to get before a request to an endpoint, in the order of the names of their values.
  ///
  /// A header field of the profile is no reason to get a value for a request that only reads.
  package func missingSources(
    for endpoint: EndpointName?, isWrite: Bool, _ kept: KeptValues, cookie: (String) -> String?
  ) -> [String] {
    guard !values.isEmpty else { return [] }
    let known = complete(kept, cookie: cookie)
    var paths: [String] = []
    for name in neededNames(endpoint, isWrite: isWrite) where known[name] == nil {
      guard let from = values[name.name]?.from, !paths.contains(from) else { continue }
      paths.append(from)
    }
    return paths
  }

  private func neededNames(_ endpoint: EndpointName?, isWrite: Bool) -> [KeptName] {
    var names = endpoint.flatMap { self[$0] }?.keptNamesOfRequest ?? []
    if isWrite { names.formUnion(headers.sent.compactMap(\.kept)) }
    return names.filter { $0.kind == .value }.sorted { $0.name < $1.name }
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
    case .page(let name): "an element meta or input named \(name)"
    }
  }
}

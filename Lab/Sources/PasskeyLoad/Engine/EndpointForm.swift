// SPDX-License-Identifier: Apache-2.0

internal import PasskeyProfiles
internal import PasskeyTransfers
internal import WebAuthnClient

/// The parts of an endpoint's requests that are the same for every request.
struct EndpointForm {
  let name: String
  let contract: EndpointContract
  /// A request without a body and without credentials.
  let request: TransferRequest
  /// Whether a redirect is a reply.
  let returnsRedirects: Bool
  /// Whether requests carry values that the caller keeps.
  let keeps: Bool
  /// The shape of a successful reply; members that the client does not need may be missing.
  let reply: Shape?

  init(
    _ name: String, _ contract: EndpointContract, _ target: LoadTarget, keepsConnections: Bool,
    returnsRedirects: Bool = false
  ) {
    self.name = name
    self.contract = contract
    self.returnsRedirects = returnsRedirects || contract.location != nil
    keeps = !contract.keptNamesOfRequest.isEmpty
    reply = contract.response?.withOptionalMembers
    var request = ServerRequest(contract.method, contract.path)
    request.returnsRedirects = self.returnsRedirects
    var transfer = TransferRequest(request, to: target.server, target.settings, CookieJar())
    transfer.reusesConnections = keepsConnections
    self.request = transfer
  }

  /// Returns the form with another path, such as one with a query.
  func with(_ path: String, _ target: LoadTarget, keepsConnections: Bool) -> EndpointForm {
    guard path != contract.path else { return self }
    var contract = contract
    contract.path = path
    return EndpointForm(
      name, contract, target, keepsConnections: keepsConnections, returnsRedirects: returnsRedirects)
  }
}

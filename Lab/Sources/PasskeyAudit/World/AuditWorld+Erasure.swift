// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats
internal import PasskeyProfiles
internal import PasskeyTesting
package import WebAuthnClient

extension AuditWorld {
  /// Confirms an action with a person's passkey, and returns the grant.
  ///
  /// - Throws: ``CannotTell`` if the server refuses.
  package func grant(
    _ person: Person, method: String, path: String, body: [UInt8] = []
  ) async throws -> StepUpGrant {
    let demand = StepUpDemand(method: method, path: path, body: body)
    let begun = try await begin(.stepUpOptions, as: person, Handshake.values(of: demand))
    let request = try finishRequest(begun, try assertion(begun, by: person.passkey).json())
    let reply = try await send(request)
    guard let token = values(reply, to: request, at: .stepUpVerify).text(.grantToken) else {
      throw CannotTell("a valid step-up was refused: \(reply.shortened)")
    }
    recorder.hide([token])
    return try StepUpGrant(exposedText: token, for: demand)
  }

  /// Sends a request in a person's session, with a grant if the server demands a step-up.
  package func sendConfirmed(_ request: ServerRequest, as person: Person) async throws -> ServerReply {
    let reply = try await send(request, as: person)
    guard Handshake.isStepUpDemanded(by: reply) else { return reply }
    let grant = try await grant(person, method: request.method, path: request.path, body: request.body)
    var request = request
    request.headers.append(HeaderField(profile.headers.stepUp, grant.exposedText))
    return try await send(request, as: person)
  }

  /// Erases the accounts that the audit made, and names those that the server keeps.
  func eraseAccounts() async {
    for person in people {
      do {
        try await erase(person)
      } catch {
        leaveBehind("the account \(person.name): \(error)")
      }
    }
  }

  /// Erases the accounts that no group shares. Those that the server keeps stay in the list.
  func eraseUnsharedAccounts() async {
    for person in people where !isShared(person) && !Task.isCancelled {
      do {
        try await erase(person)
        forget(person)
      } catch {
        continue
      }
    }
  }

  /// Names the accounts that the audit made.
  func nameAccounts() {
    for person in people { leaveBehind("the account \(person.name)") }
  }

  private func erase(_ person: Person) async throws {
    let request = try request(.eraseAccount)
    if person.session != nil, try await sendConfirmed(request, as: person).isSuccess { return }
    // A check may have ended the session.
    person.session = try await signIn(person)
    let reply = try await sendConfirmed(request, as: person)
    guard reply.isSuccess else { throw CannotTell("the server refused to erase it: \(reply.shortened)") }
  }
}

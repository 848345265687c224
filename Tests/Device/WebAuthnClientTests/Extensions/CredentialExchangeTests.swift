// SPDX-License-Identifier: Apache-2.0

import CTAPTypes
import PasskeyCrypto
import Testing
import WebAuthnRelyingParty
import WebAuthnTypes

@testable import WebAuthnAuthenticator
@testable import WebAuthnBrowser
@testable import WebAuthnClient

/// A passkey that moves to another device in the Credential Exchange Format.
struct CredentialExchangeTests {
  private func world() throws -> World {
    try World(profile: .passkeyProvider, pin: "1234", interaction: TestInteraction(pins: ["1234"]))
  }

  @Test func `a moved passkey signs in with the same prf results and large blob`() async throws {
    let (old, new) = (try world(), try world())
    let values = PRFValues(first: [1, 2, 3], second: [4])
    let credential = try await old.register(
      extensions: [.prf(evaluating: values), .largeBlob(support: .required)]
    ).result.credential
    let text = [UInt8](repeating: 0x61, count: 5_000)
    let written = try await old.signIn(credential, isNamed: true, extensions: [.largeBlob(.write(text))]).result
    #expect(written.extensions.fromClient.largeBlob?.isWritten == true)
    let results = try await old.signIn(credential, extensions: [.prf(evaluating: values)])
      .result.extensions.fromClient.prf?.results
    #expect(results != nil)

    let export = try VaultOwner(of: old.vault).exportCredentialExchange(at: old.now)
    let file = try CredentialExchangeFile(parsing: export.text)
    #expect(try VaultOwner(of: new.vault).add(file, at: new.now).imported == export.exported)

    let moved = try await new.signIn(credential, extensions: [.prf(evaluating: values)]).result
    #expect(moved.extensions.fromClient.prf?.results == results)
    let read = try await new.signIn(credential, extensions: [.largeBlob(.read)]).result
    #expect(read.extensions.fromClient.largeBlob == LargeBlobOutputs(blob: text))
  }
}

// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import PasskeyService
import PasskeyServiceTestSupport
import Testing
import WebAuthnTypes

extension StorageContract {
  static let knownClients: [Case] = [
    Case("the clients of an account are stored with its sign-ins, each once") { store in
      let storage = store.storage
      let (ada, passkey) = try await storage.registerAccount()
      let (ben, others) = try await storage.registerAccount()
      let old = KnownClient(user: ada.handle, key: [1, 2], expiry: Sample.time(10))
      let renewed = KnownClient(user: ada.handle, key: [1, 2], expiry: Sample.time(20))
      let second = KnownClient(user: ada.handle, key: [1, 3], expiry: Sample.time(30))
      let bens = KnownClient(user: ben.handle, key: [1, 2], expiry: Sample.time(40))
      for (client, passkey) in [(old, passkey), (renewed, passkey), (second, passkey), (bens, others)] {
        var commit = SignInCommit(
          use: CredentialUse(passkey), opening: try Sample.opening(of: passkey.user, with: passkey.record.id), audit: []
        )
        commit.client = client
        #expect(try await storage.signIn(commit) == .opened)
      }
      #expect(try await Set(storage.knownClients(of: ada.handle)) == [renewed, second])
      #expect(try await storage.knownClients(of: ben.handle) == [bens])
      #expect(try await storage.sweep(SweepBounds(time: Sample.time(21)), limit: 9) == 1)
      #expect(try await storage.knownClients(of: ada.handle) == [second])
      #expect(try await storage.erase(ada.handle, spending: nil, audit: []).refusal == nil)
      #expect(try await storage.knownClients(of: ada.handle).isEmpty)
      #expect(try await storage.knownClients(of: ben.handle) == [bens])
    },
    Case("a registration stores the client of its session, and a refused sign-in none") { store in
      let storage = store.storage
      let ada = try Sample.account()
      let passkey = try Sample.passkey(of: ada.handle)
      let client = KnownClient(user: ada.handle, key: [1], expiry: Sample.time(10))
      var commit = RegistrationCommit(
        owner: .newAccount(ada), passkey: passkey, code: nil, opening: nil, maximumPasskeyCount: 1, time: Sample.start,
        audit: [])
      commit.client = client
      #expect(try await storage.register(commit).value == ada)
      #expect(try await storage.knownClients(of: ada.handle) == [client])
      var use = CredentialUse(passkey)
      use.revision += 1
      var refused = SignInCommit(
        use: use, opening: try Sample.opening(of: ada.handle, with: passkey.record.id), audit: [])
      refused.client = KnownClient(user: ada.handle, key: [2], expiry: Sample.time(10))
      #expect(try await storage.signIn(refused) == .credentialChanged)
      #expect(try await storage.knownClients(of: ada.handle) == [client])
    },
  ]
}

// SPDX-License-Identifier: Apache-2.0

import PasskeyBrowserTestSupport
import PasskeyCOSE
import PasskeyFormats
import PasskeyTestSupport
import Testing
import WebAuthnRelyingParty

/// The signature algorithms that a service offers and that a device has.
@Suite(.tags(.browser)) struct AlgorithmScriptTests {
  /// The algorithms of the virtual authenticators of this browser.
  @Test(arguments: [COSEAlgorithm.es256, .eddsa, .rs256])
  func `a passkey of each algorithm of the device signs in`(_ algorithm: COSEAlgorithm) async throws {
    try await TestSite.run({
      $0.pages = ScriptedPage.files
      $0.ceremonies = { $0.algorithms = [algorithm] }
    }) { (_, browser) in
      let (script, _) = try await ScriptedPage.open(in: browser)
      let made = try await script.outcome("passkeys.signUp('ada@raxx.app').then(() => passkeys.signOut())")
      #expect(made == "")
      #expect(try await script.outcome("passkeys.signIn()") == "account,extensions,session")
    }
  }

  @Test func `a passkey with ML-DSA is offered and accepted`() async throws {
    let preferred = [COSEAlgorithm.mlDSA65, .mlDSA44, .es256]
    try await TestSite.run({
      $0.pages = ScriptedPage.files
      $0.ceremonies = { $0.algorithms = preferred }
    }) { (_, browser) in
      let (script, _) = try await ScriptedPage.open(in: browser)
      try await script.page.run(
        """
        const create = navigator.credentials.create.bind(navigator.credentials);
        navigator.credentials.create = (options) => {
          window.offered = options.publicKey.pubKeyCredParams.map(({alg}) => alg);
          if (window.only) options.publicKey.pubKeyCredParams = [{type: 'public-key', alg: only}];
          return create(options).then((credential) => {
            window.made = credential.response.getPublicKeyAlgorithm();
            return credential;
          });
        };
        """)
      // This device makes passkeys with ML-DSA, also unasked.
      try await script.page.run("window.only = -49")
      let made = try await script.outcome("passkeys.signUp('ada@raxx.app').then(() => passkeys.signOut())")
      #expect(made == "")
      #expect(try await script.outcome("passkeys.signIn()") == "account,extensions,session")
      #expect(try await script.text("made") == "-49")
      try await script.page.run("window.only = undefined")
      #expect(try await script.outcome("passkeys.signUp('bob@raxx.app')") == "account,credential,extensions,session")
      #expect(try await script.text("offered") == preferred.map { "\($0.rawValue)" }.joined(separator: ","))
    }
  }

  @Test func `a passkey with an algorithm that was not offered is refused`() async throws {
    try await TestSite.run({
      $0.pages = ScriptedPage.files
      $0.ceremonies = { $0.algorithms = [.eddsa] }
    }) { (_, browser) in
      let (script, device) = try await ScriptedPage.open(in: browser)
      try await script.page.run(
        """
        const create = navigator.credentials.create.bind(navigator.credentials);
        navigator.credentials.create = (options) => {
          options.publicKey.pubKeyCredParams = [{type: 'public-key', alg: -7}];
          return create(options);
        };
        """)
      #expect(try await script.outcome("passkeys.signUp('ada@raxx.app')") == "sign-up.refused")
      #expect(try await script.outcome("passkeys.session()") == "null")
      // The browser learns that the service does not know the passkey.
      _ = try await script.page.wait(for: "the signal") { $0.deletedCredentials.isEmpty ? nil : true }
      #expect(try await device?.passkeys().isEmpty == true)
    }
  }
}

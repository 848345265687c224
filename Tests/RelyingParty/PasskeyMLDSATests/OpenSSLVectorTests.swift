// SPDX-License-Identifier: Apache-2.0

import Glibc
import PasskeyFormats
import PasskeyTestSupport
import Testing

@testable import PasskeyMLDSA

/// NIST's vectors (ACVP) of key generation, signing and verification, and Wycheproof's cases of signing and verification, as
/// OpenSSL's source package contains them.
///
/// `Scripts/interop mldsa` downloads the package and names the folder in `PASSKEY_MLDSA_VECTORS`. Without it, the judge is tested
/// but has no files to read.
@Suite struct OpenSSLVectorTests {
  private static let folder = unsafe getenv("PASSKEY_MLDSA_VECTORS").map { unsafe String(cString: $0) }

  /// The files, with a number of cases that each has at least.
  private static let files: [(String, Int)] =
    [("keygen", 75), ("siggen", 180), ("sigver", 90)]
    + ["44", "65", "87"].flatMap { (number) in
      [("\(number)_wycheproof_sign", 50), ("\(number)_wycheproof_verify", 50)]
    }

  /// Compares nothing unless `Scripts/interop mldsa` has fetched the files. The next test shows that a wrong outcome fails.
  @Test(arguments: files)
  func `judges the cases of OpenSSL's source package as it does`(name: String, leastCount: Int) throws {
    guard let folder = Self.folder else { return }
    let bytes = try File.bytes("\(folder)/evppkey_ml_dsa_\(name).txt")
    var judge = EVPTestJudge()
    var count = 0
    for stanza in EVPTestFile(String(decoding: bytes, as: UTF8.self)).stanzas {
      guard let isAsRequired = try judge.judge(stanza) else { continue }
      #expect(isAsRequired, "\(name), line \(stanza.line)")
      count += 1
    }
    #expect(count >= leastCount)
  }

  @Test(arguments: ParameterSet.all)
  func `a case with another outcome fails`(named: ParameterSet.Named) throws {
    let key = try PrivateKey(named.parameters, seed: [UInt8](0..<32))
    let (other, mu) = (try PrivateKey(named.parameters, seed: [UInt8](1..<33)), [UInt8](0..<64))
    let randomness = [UInt8](repeating: 0x5a, count: 32)
    let signature = try key.sign([0x01], context: [0x02])
    let hedged = try key.sign(representative: mu, randomness: randomness.span)
    let encoding = "Ctrl = message-encoding:1"
    let failure = "Result = VERIFY_ERROR"
    let generation = [
      "KeyGen = \(named)", "CtrlOut = hexpub:\(digits(key.publicKey))", "CtrlOut = hexpriv:\(digits(key.expanded))",
    ]
    let reading = ["KeyFromData = \(named)", "Result = KEY_FROMDATA_ERROR"]
    let plain = ["Input = 01", "Output = \(digits(signature))", encoding]
    let hashed = ["Input = \(digits(mu))", "Output = \(digits(hedged))", encoding, "Ctrl = mu:1"]
    let signing = ["FIPSversion = >=3.5.0", "Sign-Message = \(named):private"]
    let verifying = ["# A comment belongs to its case.", "Verify-Message-Public = \(named):public"]
    // Of each pair, the first case is right and the second is wrong.
    let cases = [
      generation + ["Ctrl = hexseed:\(digits([UInt8](0..<32)))"],
      generation + ["Ctrl = hexseed:\(digits([UInt8](1..<33)))"],
      reading + ["Ctrl = hexpriv:00"],
      reading + ["Ctrl = hexpub:\(digits(other.publicKey))"],
      signing + plain + ["Ctrl = hexcontext-string:02", "Ctrl = deterministic:1"],
      signing + plain + ["Ctrl = hexcontext-string:03", "Ctrl = deterministic:1"],
      signing + hashed + ["Ctrl = deterministic:0", "Ctrl = hextest-entropy:\(digits(randomness))"],
      signing + hashed + ["Ctrl = deterministic:1"],
      verifying + plain + ["Ctrl = hexcontext-string:02"],
      verifying + plain + ["Ctrl = hexcontext-string:02", failure],
      verifying + hashed,
      verifying + hashed + [failure],
    ]
    let keys = [
      ["PublicKeyRaw = public:\(named):\(digits(key.publicKey))"],
      ["PrivateKeyRaw = private:\(named):\(digits(key.expanded))"],
    ]
    let text = ([["# A heading has no case."]] + keys + cases).map { $0.joined(separator: "\n") }.joined(
      separator: "\n\n")
    var judge = EVPTestJudge()
    let outcomes = try EVPTestFile(text).stanzas.compactMap { try judge.judge($0) }
    #expect(outcomes == Array(repeatElement([true, false], count: 6).joined()))
    #expect(throws: EVPTestJudge.Unknown.self) {
      try EVPTestFile("Derive = \(named)").stanzas.forEach { _ = try judge.judge($0) }
    }
  }

  private func digits(_ bytes: [UInt8]) -> String { Hex.encode(bytes) }
}

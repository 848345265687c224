// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats
internal import WebAuthnTypes

/// Checks that client extension values are rejected, or survive a round trip.
func checkExtensions(_ extensions: ClientExtensions) throws(Violation) {
  if let outputs = try? RegistrationClientOutputs(extensions) {
    try require((try? RegistrationClientOutputs(outputs.extensions)) == outputs, "a registration's outputs differ")
  }
  if let outputs = try? AuthenticationClientOutputs(extensions) {
    try require((try? AuthenticationClientOutputs(outputs.extensions)) == outputs, "a sign-in's outputs differ")
  }
  if let inputs = try? extensions.prfInputs {
    let written: ClientExtensions = ["prf": inputs.value]
    try require((try? written.prfInputs) == inputs, "inputs of prf differ")
  }
  if let inputs = try? extensions.largeBlobInputs {
    let written: ClientExtensions = ["largeBlob": inputs.value]
    try require((try? written.largeBlobInputs) == inputs, "inputs of largeBlob differ")
  }
  if let inputs = try? extensions.paymentInputs {
    let written: ClientExtensions = ["payment": inputs.value]
    try require((try? written.paymentInputs) == inputs, "inputs of payment differ")
  }
  _ = try? (extensions.hmacSecretSalts, extensions.credentialProtectionInputs, extensions.credBlobInput)
}

/// Checks that authenticator extension outputs are parsed, or rejected at an offset in the input.
func checkExtensions(_ outputs: CBORMap, of input: Bytes) throws(Violation) {
  do throws(FormatError) {
    _ = try RegistrationAuthenticatorOutputs(outputs)
  } catch {
    try require(error.offset, inside: input)
  }
  do throws(FormatError) {
    _ = try AuthenticationAuthenticatorOutputs(outputs)
  } catch {
    try require(error.offset, inside: input)
  }
}

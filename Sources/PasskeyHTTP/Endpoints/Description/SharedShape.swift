// SPDX-License-Identifier: Apache-2.0

/// The shapes that the description gives a name, by that name.
enum SharedShape: String, Hashable, Sendable, CaseIterable {
  // Accounts, and what belongs to them
  case account = "Account"
  case session = "Session"
  case credential = "Credential"
  case device = "Device"
  case accountExport = "AccountExport"
  case auditEntry = "AuditEntry"

  // What whoever is signed in, and finished ceremonies, are answered with
  case whoIsSignedIn = "WhoIsSignedIn"
  case openedSession = "OpenedSession"
  case registration = "Registration"
  case registrationWithSession = "RegistrationWithSession"
  case stepUpGrant = "StepUpGrant"

  // What administrators are answered with
  case changedAccount = "ChangedAccount"
  case issuedCode = "IssuedCode"

  // What goes to and comes from browsers, by the standard's names (WebAuthn §5.1)
  case creationOptions = "CreationOptions"
  case requestOptions = "RequestOptions"
  case credentialDescriptor = "CredentialDescriptor"
  case registrationResponse = "RegistrationResponse"
  case authenticationResponse = "AuthenticationResponse"
  case acceptedCredentials = "AllAcceptedCredentials"

  // What is refused
  case problem = "Problem"
  case stepUpDemand = "StepUpDemand"

  // What watches the server
  case serverStatus = "ServerStatus"
}

// SPDX-License-Identifier: Apache-2.0

/// The named schemas of the OpenAPI document.
enum SharedShape: String, Hashable, Sendable, CaseIterable {
  // Accounts and related objects
  case account = "Account"
  case session = "Session"
  case credential = "Credential"
  case device = "Device"
  case accountExport = "AccountExport"
  case auditEntry = "AuditEntry"

  // Responses about the current session and to finished ceremonies
  case whoIsSignedIn = "WhoIsSignedIn"
  case openedSession = "OpenedSession"
  case registration = "Registration"
  case registrationWithSession = "RegistrationWithSession"
  case stepUpGrant = "StepUpGrant"

  // Responses to administrators
  case changedAccount = "ChangedAccount"
  case issuedCode = "IssuedCode"

  // WebAuthn messages to and from browsers, with the names of the standard (WebAuthn §5.1)
  case creationOptions = "CreationOptions"
  case requestOptions = "RequestOptions"
  case credentialDescriptor = "CredentialDescriptor"
  case registrationResponse = "RegistrationResponse"
  case authenticationResponse = "AuthenticationResponse"
  case acceptedCredentials = "AllAcceptedCredentials"

  // Errors
  case problem = "Problem"
  case stepUpDemand = "StepUpDemand"

  // Monitoring
  case serverStatus = "ServerStatus"
}

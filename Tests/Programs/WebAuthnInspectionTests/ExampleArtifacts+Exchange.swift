// SPDX-License-Identifier: Apache-2.0

import PasskeyCrypto
import PasskeyFormats

extension ExampleArtifacts {
  /// An export with one passkey, the example credential.
  var exchangedPasskey: [UInt8] {
    get throws {
      let key = try credentialKey.pkcs8.withBytes { (bytes) in Base64URL.encode(bytes) }
      let text = """
        {
          "version": {"major": 1, "minor": 0},
          "exporterRpId": "vault.example",
          "exporterDisplayName": "Example Vault",
          "timestamp": 1790000000,
          "accounts": [
            {
              "id": "YWNjb3VudC0x",
              "username": "",
              "email": "",
              "collections": [],
              "items": [
                {
                  "id": "aXRlbS0x",
                  "title": "\(Self.relyingPartyID)",
                  "credentials": [
                    {
                      "type": "passkey",
                      "credentialId": "\(Base64URL.encode(Self.credentialID))",
                      "rpId": "\(Self.relyingPartyID)",
                      "username": "ada@raxx.app",
                      "userDisplayName": "Ada",
                      "userHandle": "dXNlci0x",
                      "key": "\(key)"
                    }
                  ]
                }
              ]
            }
          ]
        }

        """
      return [UInt8](text.utf8)
    }
  }

  /// An export of another provider with two accounts: the example credential beside a password, and a passkey whose key
  /// is invalid.
  var credentialExchange: [UInt8] {
    get throws {
      let key = try credentialKey.pkcs8.withBytes { (bytes) in Base64URL.encode(bytes) }
      let text = """
        {
          "version": {"major": 1, "minor": 0},
          "exporterRpId": "vault.example",
          "exporterDisplayName": "Example Vault",
          "timestamp": 1790000000,
          "accounts": [
            {
              "id": "YWNjb3VudC0x",
              "username": "ada",
              "email": "ada@example.com",
              "collections": [{"id": "d29yaw", "title": "Work", "items": [{"item": "aXRlbS0x"}]}],
              "items": [
                {
                  "id": "aXRlbS0x",
                  "creationAt": 1780000000,
                  "modifiedAt": 1780000000,
                  "title": "Raxx",
                  "subtitle": "ada@raxx.app",
                  "favorite": true,
                  "tags": ["broker"],
                  "scope": {"urls": ["https://raxx.app"], "androidApps": []},
                  "credentials": [
                    {
                      "type": "passkey",
                      "credentialId": "\(Base64URL.encode(Self.credentialID))",
                      "rpId": "\(Self.relyingPartyID)",
                      "username": "ada@raxx.app",
                      "userDisplayName": "Ada",
                      "userHandle": "dXNlci0x",
                      "key": "\(key)",
                      "fido2Extensions": {
                        "hmacCredentials": {
                          "algorithm": "hmac-sha256",
                          "credWithUV": "\(secret("with verification"))",
                          "credWithoutUV": "\(secret("without verification"))"
                        },
                        "credBlob": "Y3JlZEJsb2I",
                        "largeBlob": {"uncompressedSize": 5, "data": "AQUA-v9oZWxsbw"},
                        "payments": true
                      }
                    },
                    {
                      "type": "basic-auth",
                      "username": {"fieldType": "string", "value": "ada"},
                      "password": {"fieldType": "concealed-string", "value": "only a test"}
                    }
                  ]
                },
                {
                  "id": "aXRlbS0y",
                  "title": "A note",
                  "credentials": [{"type": "note", "content": {"fieldType": "string", "value": "hello"}}]
                }
              ]
            },
            {
              "id": "YWNjb3VudC0y",
              "username": "bob",
              "email": "bob@example.com",
              "collections": [],
              "items": [
                {
                  "id": "aXRlbS0z",
                  "title": "Yapt",
                  "credentials": [
                    {
                      "type": "passkey",
                      "credentialId": "AQIDBA",
                      "rpId": "yapt.example",
                      "username": "bob",
                      "userDisplayName": "",
                      "userHandle": "Ym9i",
                      "key": "AAEC"
                    }
                  ]
                }
              ]
            }
          ]
        }

        """
      return [UInt8](text.utf8)
    }
  }

  private func secret(_ label: String) -> String {
    Base64URL.encode(Digest.sha256([UInt8]("example secret \(label)".utf8)[...]))
  }
}

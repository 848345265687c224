// SPDX-License-Identifier: Apache-2.0

extension RelyingPartyFault {
  static let documents = list([
    "documents.webauthn-json": "The list of related origins is not JSON.",
    "documents.webauthn-json/members": "The list of related origins has no member `origins`.",
    "documents.webauthn-type": "The list of related origins is text/plain.",
    "documents.webauthn-origins": "The list of related origins has an origin with http.",
    "documents.webauthn-labels": "The list of related origins has origins of eight domains.",
    "documents.webauthn-redirect": "The list of related origins is a redirect to a URL with http.",
    "documents.passkey-endpoints-json": "The passkey endpoints are not JSON.",
    "documents.passkey-endpoints-urls": "The passkey endpoints have a URL with http.",
    "documents.assetlinks-json": "The asset links are an object.",
    "documents.assetlinks-fingerprints": "A fingerprint in the asset links is cut.",
    "documents.assetlinks-redirect": "The asset links are a redirect.",
    "documents.apple-json": "The Apple association has no list of apps.",
    "documents.apple-type": "The Apple association is application/octet-stream.",
    "documents.apple-redirect": "The Apple association is a redirect.",
    "documents.unknown": "An unknown document below .well-known is a page with status 200.",
  ])
}

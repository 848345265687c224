// SPDX-License-Identifier: Apache-2.0

extension RelyingPartyFault {
  static let http = list([
    "http.csrf-origin": "A request with cookies may come from a page of another origin.",
    "http.csrf-fetch-site": "A request with cookies may be a cross-site one, if it has no Origin.",
    "http.cors-reflected": "Access-Control-Allow-Origin repeats any origin.",
    "http.cors-null": "Access-Control-Allow-Origin is null for opaque origins.",
    "http.cors-wildcard": "Access-Control-Allow-Origin is a wildcard, with credentials.",
    "http.cors-preflight": "A preflight request of any origin is granted.",
    "http.hsts": "Responses over TLS have no Strict-Transport-Security.",
    "http.nosniff": "Responses have no X-Content-Type-Options.",
    "http.framing": "Responses can be framed.",
    "http.cache-secrets": "Responses with secrets can be cached.",
    "http.method-trace": "TRACE repeats the request.",
    "http.method-wrong": "A sign-in accepts every method.",
    "http.method-override": "X-HTTP-Method-Override replaces the method.",
    "http.safe-methods": "GET signs out.",
    "http.content-type": "JSON is accepted with any content type.",
    "http.smuggling-two-lengths": "The last of several Content-Length fields wins.",
    "http.smuggling-chunked": "Content-Length wins over Transfer-Encoding.",
    "http.smuggling-length-syntax": "A Content-Length with a sign is accepted.",
    "http.error-details": "Errors have a stack trace.",
    "http.version-header": "Responses name the version of the server.",
    "http.reflected-markup": "The response to an unknown path is HTML with the path in it.",
    "http.json-duplicates": "The last of several members with the same name wins.",
    "http.json-nesting": "Deeply nested JSON is an internal error.",
    "http.json-numbers": "A huge number is an internal error.",
    "http.json-utf8": "Invalid UTF-8 in a body is replaced.",
    "http.json-nul": "A NUL character in an address is accepted.",
    "http.json-trailing": "Bytes after the JSON are ignored.",
  ])
}

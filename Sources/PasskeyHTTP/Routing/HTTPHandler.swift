// SPDX-License-Identifier: Apache-2.0

/// What answers requests, many at once.
public typealias HTTPHandler = @Sendable (HTTPRequest) async -> HTTPResponse

/// What answers the requests of one route. What it throws becomes a problem by the one table of errors.
public typealias RouteHandler = @Sendable (HTTPRequest) async throws -> HTTPResponse

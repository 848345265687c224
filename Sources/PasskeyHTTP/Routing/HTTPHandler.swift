// SPDX-License-Identifier: Apache-2.0

/// What answers requests, many at once.
///
/// Up to where it first waits it has the thread that reads requests: what takes long before that belongs into a task of its
/// own.
public typealias HTTPHandler = @Sendable (HTTPRequest) async -> HTTPResponse

/// What answers the requests of one route. What it throws becomes a problem by the one table of errors.
public typealias RouteHandler = @Sendable (HTTPRequest) async throws -> HTTPResponse

// SPDX-License-Identifier: Apache-2.0

/// A function that handles requests, many concurrently.
///
/// Until its first suspension, the handler runs on the thread that reads requests. Move slow work before that into a
/// task.
public typealias HTTPHandler = @Sendable (HTTPRequest) async -> HTTPResponse

/// A function that handles the requests of one route. The router maps thrown errors to problems.
public typealias RouteHandler = @Sendable (HTTPRequest) async throws -> HTTPResponse

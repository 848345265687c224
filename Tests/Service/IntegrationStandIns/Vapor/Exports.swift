// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// Like the framework, this module re-exports some declarations of the packages below it, swift-log and Foundation.

@_exported public import Foundation
@_exported public import LoggingStandIn
@_exported public import struct NIOCoreStandIn.ByteBuffer
@_exported public import struct NIOHTTP1StandIn.HTTPHeaders
@_exported public import enum NIOHTTP1StandIn.HTTPMethod
@_exported public import struct NIOHTTP1StandIn.HTTPResponseStatus

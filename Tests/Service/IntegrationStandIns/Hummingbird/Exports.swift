// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// Like the framework, this module re-exports some declarations of the packages below it and no others.

@_exported public import struct HTTPTypesStandIn.HTTPFields
@_exported public import struct HTTPTypesStandIn.HTTPRequest
@_exported public import struct HTTPTypesStandIn.HTTPResponse
@_exported public import struct NIOCoreStandIn.ByteBuffer

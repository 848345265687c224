// SPDX-License-Identifier: Apache-2.0

internal import CCurl

extension Transfer {
  /// The return value of a callback that accepted no bytes, which makes libcurl abort.
  private static let nothing = 0

  static let takeHeader: passkey_curl_data_callback = { (bytes, size, count, context) in
    guard let context = unsafe context else { return nothing }
    let line = unsafe UnsafeRawBufferPointer(start: bytes, count: size * count)
    let transfer = unsafe Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
    return unsafe transfer.take(headerLine: line) ? line.count : refusal(of: line.count)
  }

  static let takeBody: passkey_curl_data_callback = { (bytes, size, count, context) in
    guard let context = unsafe context else { return nothing }
    let part = unsafe UnsafeRawBufferPointer(start: bytes, count: size * count)
    let transfer = unsafe Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
    return unsafe transfer.take(body: part) ? part.count : refusal(of: part.count)
  }

  static let begin: passkey_curl_ready_callback = { (context, address, _, _, _) in
    guard let context = unsafe context, let address = unsafe address else { return CURL_PREREQFUNC_ABORT }
    let transfer = unsafe Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
    return unsafe transfer.begin(on: String(cString: address)) ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT
  }

  /// Any number other than the offered one makes libcurl abort; for an empty part that cannot be zero.
  private static func refusal(of count: Int) -> Int { count == 0 ? 1 : nothing }
}

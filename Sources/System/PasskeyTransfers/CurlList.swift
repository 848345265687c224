// SPDX-License-Identifier: Apache-2.0

internal import CPasskeyCurl

/// An owning wrapper of a libcurl string list. Freed with the wrapper.
@safe final class CurlList {
  private(set) var pointer: UnsafeMutablePointer<curl_slist>?

  /// Copies strings into a list. Returns nil if memory runs out.
  init?(_ texts: [String]) {
    for text in texts {
      guard let longer = unsafe curl_slist_append(pointer, text) else { return nil }
      unsafe pointer = longer
    }
  }

  /// Takes ownership of a list that libcurl allocated.
  init(taking pointer: UnsafeMutablePointer<curl_slist>?) {
    unsafe self.pointer = pointer
  }

  deinit {
    unsafe curl_slist_free_all(pointer)
  }

  /// The strings of the list.
  var texts: [String] {
    var texts: [String] = []
    var next = unsafe pointer
    while let entry = unsafe next {
      if let data = unsafe entry.pointee.data { texts.append(unsafe String(cString: data)) }
      unsafe next = entry.pointee.next
    }
    return texts
  }
}

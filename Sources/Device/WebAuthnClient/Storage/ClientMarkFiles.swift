// SPDX-License-Identifier: Apache-2.0

/// A store of client marks in a folder.
///
/// Read and write errors are ignored: without a mark, the server treats this client as unknown.
package struct ClientMarkFiles: ClientMarkStore {
  private let store: PrivateStore<ClientMark>

  /// Creates a store in a folder, which is created when the first mark is stored.
  package init(path: String) {
    store = PrivateStore(path: path)
  }

  package func mark(at server: ServerAddress, profile: String, user: String?) -> ClientMark? {
    store.value(at: server, profile: profile, user: user)
  }

  package func keep(_ mark: ClientMark) {
    _ = try? store.keep(mark)
  }
}
